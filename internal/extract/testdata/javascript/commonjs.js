const util = require('util');

/**
 * Opens a door.
 * @param {Door} door what to open
 * @param {number} [times=1] how often
 * @returns {Room} what lies behind
 */
exports.open = function (door, times) {
  return door.unlock(times);
};
exports.close = (door) => door.lock();
exports['re-open'] = exports.open;
module.exports.VERSION = '1.0';

function Animal(name) {
  this.name = name;
  this.bark = null;
  this.voice = new Voice();
  this.shout = () => this.speak();
  if (!(this instanceof Animal)) return new Animal(name);
}
Animal.prototype.speak = function () { return this.voice.play(); };
Animal.prototype.rename = function rename(name) { this.name = name; this.bark = new Bark(); rename.count(); };
Animal.create = function (name) { return new Animal(name); };
Animal.LIMIT = 5;

var Dog = function (name) { Animal.call(this, name); };
util.inherits(Dog, Animal);
Dog.prototype.fetch = async () => fetchIt();

function Cat() {}
Cat.prototype = Object.create(Animal.prototype);
Cat.prototype.constructor = Cat;

function Cow() {}
Cow.prototype = {
  moo() { this.graze(); },
  graze: function () { return grass(); },
};

(function (root, factory) {
  var hidden = function () { return root; };
  hidden.helper = function () { return hidden(); };
  factory(hidden);
})(this, function (h) { h(); });

module.exports = { Animal, Dog: Dog, make() { return Animal.create('x'); }, sub: { run: () => local() } };
function local() { let f; f = function () { return 1; }; return f(); }
