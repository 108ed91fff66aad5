class Ok<T> { constructor(readonly value: T) {} isOk(): this is Ok<T> { return true; } map<U>(f: (t: T) => U): Result<U> { return new Ok(f(this.value)); } unwrap(): T { return this.value; } }
class Err { constructor(readonly error: Failure) {} isOk(): boolean { return false; } map(f: unknown): Err { return this; } unwrap(): never { throw this.error.toError(); } }
type Result<T> = Ok<T> | Err;
class Failure { toError(): Error { return new Error(this.text()); } text(): string { return 'f'; } }
function parse(s: string): Result<Value> { if (s === '') return new Err(new Failure()); return new Ok(new Value()); }
class Value { read(): number { return 1; } }
const r = parse('x');
if (r.isOk()) r.unwrap();
parse('y').map((v: Value) => v.read());
const e = parse('');
e.map(() => 0);
if (e instanceof Err) e.error.text();
try { e.unwrap(); } catch (x) { recover(x as Error); }
function recover(e: Error): void {}
