class Box<T> {
  constructor(private value: T) {}
  get(): T { return this.value; }
  map<U>(fn: (v: T) => U): Box<U> { return new Box(fn(this.value)); }
}
class Dog { bark(): string { return 'w'; } }
class Cat { meow(): string { return 'm'; } }
function wrap<T>(v: T): Box<T> { return new Box(v); }
function firstOf<T extends Dog>(xs: T[]): T { return xs[0]; }
function pluck<T, K extends keyof T>(o: T, k: K): T[K] { return o[k]; }
function create<T>(ctor: new () => T): T { return new ctor(); }
class Stack<T> { private items: T[] = []; push(x: T): void { this.items.push(x); } pop(): T | undefined { return this.items.pop(); } peek(): T { return this.items[this.items.length - 1]; } }

new Box(new Dog()).get().bark();
wrap(new Cat()).get().meow();
wrap(new Dog()).map((d) => new Cat()).get().meow();
firstOf([new Dog()]).bark();
pluck({ pet: new Cat() }, 'pet').meow();
create(Dog).bark();
const s = new Stack<Cat>();
s.push(new Cat());
s.peek().meow();
s.pop()?.meow();
const m = new Map<string, Dog>();
m.set('a', new Dog());
m.get('a')!.bark();
for (const [, d] of m) d.bark();
const rec: Record<string, Cat> = { k: new Cat() };
rec.k.meow();
Object.values(rec).forEach((c) => c.meow());
