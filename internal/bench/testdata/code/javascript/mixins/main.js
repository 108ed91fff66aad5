const CanFly = (Base) => class extends Base { fly() { return this.flap(); } flap() { return 1; } };
const CanSwim = (Base) => class extends Base { swim() { return this.move(); } };
class Creature { move() { return 'm'; } }
class Duck extends CanFly(CanSwim(Creature)) { quack() { this.fly(); return this.swim(); } }
new Duck().quack();
const serial = { save() { return this.data(); } };
class Doc { data() { return 1; } }
Object.assign(Doc.prototype, serial);
new Doc().save();
function Eventful(target) {
  const subs = [];
  target.on = function (fn) { subs.push(fn); };
  target.fire = function () { subs.forEach((s) => s()); };
  return target;
}
const bell = Eventful({});
bell.on(ring);
bell.fire();
function ring() { return 'ring'; }
