function Animal(name) { this.name = name; this.init(); }
Animal.prototype.init = function () { return 1; };
Animal.prototype.speak = function () { return this.sound(); };
Animal.prototype.sound = function () { return ''; };
Animal.create = function (n) { return new Animal(n); };
function Dog(name) { Animal.call(this, name); }
Dog.prototype = Object.create(Animal.prototype);
Dog.prototype.constructor = Dog;
Dog.prototype.sound = function () { return 'woof'; };
new Dog('a').speak();
Animal.create('b').speak();
function Cat() {}
Cat.prototype = { purr() { return this.rumble(); }, rumble: function () { return 'r'; } };
new Cat().purr();
const proto = { hi() { return 'hi'; } };
const child = Object.create(proto);
child.hi();
const other = { __proto__: proto, bye() { return this.hi(); } };
other.bye();
Object.assign(Cat.prototype, { meow() { return this.purr(); } });
new Cat().meow();
