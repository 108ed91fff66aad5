type Handler<T> = (value: T) => void;
type Middleware = (next: Next) => Next;
type Next = (n: number) => number;
interface Options { onStart?: () => void; onEnd: Handler<string>; }
const start = (): void => {};
const end: Handler<string> = (v) => note(v);
function note(v: string): void {}
function run({ onStart, onEnd }: Options): void { onStart?.(); onEnd('x'); }
const double: Middleware = (next) => (n) => next(n * 2);
const plus: Middleware = (next) => function (n) { return next(n + 1); };
const base: Next = (n) => n;
function compose(...ms: Middleware[]): Next { return ms.reduceRight<Next>((acc, m) => m(acc), base); }
class Emitter<E extends string> {
  private handlers: { [K in E]?: Handler<K>[] } = {};
  on(e: E, h: Handler<E>): this { (this.handlers[e] ??= []).push(h); return this; }
  emit(e: E): void { this.handlers[e]?.forEach((h) => h(e)); }
}
run({ onStart: start, onEnd: end });
run({ onEnd: note });
compose(double, plus)(1);
new Emitter<'a' | 'b'>().on('a', note).on('b', (v) => end(v)).emit('a');
const fns: Array<() => void> = [start];
fns.forEach((f) => f());
const tuple: [Next, string] = [base, 'x'];
tuple[0](1);
const [t0] = tuple;
t0(2);
