function* ids() { let i = 0; while (i < 2) { yield make(i++); } }
function make(i) { return { i }; }
function* both() { yield* ids(); yield last(); }
function last() { return 0; }
for (const x of both()) use(x);
function use(x) { return x; }
const it = ids();
it.next();
[...ids()].map(use);
Array.from(both(), (x) => use(x));
class Range {
  constructor(a, b) { this.a = a; this.b = b; }
  *[Symbol.iterator]() { for (let i = this.a; i < this.b; i++) yield this.wrap(i); }
  wrap(i) { return new Cell(i); }
}
class Cell { constructor(i) { this.i = i; } show() { return this.i; } }
for (const c of new Range(0, 2)) c.show();
const [head] = new Range(0, 1);
head.show();
function* tasks() { yield step1; yield step2; }
function step1() {} function step2() {}
for (const t of tasks()) t();
const custom = { [Symbol.iterator]() { let n = 0; return { next: () => ({ done: n++ > 0, value: step1 }) }; } };
for (const f of custom) f();
