import { Shape } from './shape.mjs';
class Square extends Shape {
  constructor(n) { super('square'); this.n = n; }
  area() { return this.n ** 2; }
  describe() { return super.describe() + '!'; }
}
class Tiny extends Square { }
class Round extends Shape { area() { return Round.pi(); } static pi() { return 3; } static create() { return super.create(); } }
new Square(2).describe();
new Tiny(1).describe();
Round.create().describe();
Tiny.create();
const shapes = [new Square(1), new Round('r')];
for (const s of shapes) s.area();
shapes.map((s) => s.label());
