var util = require('util');

function Animal(name) {
  this.name = name;
  this.voice = new Voice(name);
}
Animal.prototype.speak = function () {
  return this.voice.play(this.describe());
};
Animal.prototype.describe = function () {
  return this.name;
};
Animal.create = function (kind, name) {
  return new kind(name);
};

function Voice(name) {
  this.name = name;
}
Voice.prototype = {
  play: function (text) { return this.tune(text); },
  tune: function (text) { return text; },
};

function Dog(name) {
  Animal.call(this, name);
  this.bark = this.bark.bind(this);
}
util.inherits(Dog, Animal);
Dog.prototype.describe = function () {
  return 'dog ' + Animal.prototype.describe.call(this);
};
Dog.prototype.bark = function () {
  var self = this;
  return [1, 2].map(function () { return self.speak(); });
};

function Cat(name) {
  Animal.apply(this, arguments);
}
Cat.prototype = Object.create(Animal.prototype);
Cat.prototype.constructor = Cat;
Cat.prototype.purr = function () {
  return this.speak();
};

module.exports = { Animal: Animal, Dog: Dog, Cat: Cat };
