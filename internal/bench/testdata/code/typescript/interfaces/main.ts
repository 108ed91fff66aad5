import { Shape, Circle, Square } from './shapes';

interface Printer { print(s: string): void; }
class Console implements Printer { print(s: string): void { this.flush(); } private flush(): void {} }
class Memory implements Printer { lines: string[] = []; print(s: string): void { this.lines.push(s); } }

function report(shape: Shape, out: Printer): void { out.print(shape.name() + shape.area()); }
const literal: Printer = { print(s) { log(s); } };
function log(s: string): void {}

report(new Circle(1), new Console());
report(new Square(2), new Memory());
report(new Square(2), literal);
