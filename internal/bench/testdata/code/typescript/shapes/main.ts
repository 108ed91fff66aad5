import { Circle, Box, Kind, Units } from './shapes';
import type { Shape } from './shapes';

function make(kind: Kind): Shape {
  switch (kind) {
    case Kind.Circle: return new Circle(1);
    default: return new Box('box');
  }
}

function total(shapes: Shape[]): number {
  let sum = 0;
  for (const shape of shapes) sum += shape.area();
  return sum;
}

class Registry<K, V> {
  private map = new Map<K, V>();
  private listeners: Array<(v: V) => void> = [];
  put(key: K, value: V): this { this.map.set(key, value); this.notify(value); return this; }
  get(key: K): V | undefined { return this.map.get(key); }
  on(listener: (v: V) => void): void { this.listeners.push(listener); }
  private notify(value: V): void { this.listeners.forEach((l) => l(value)); }
}

function firstOf<T>(list: T[]): T { return list[0]; }
function identity<T>(x: T): T { return x; }
function isCircle(s: Shape): s is Circle { return s instanceof Circle; }

const registry = new Registry<string, Circle>();
registry.put('one', new Circle(1)).put('two', new Circle(2));
registry.get('one')!.diameter();
registry.on((c) => c.describe());
firstOf([new Box('b')]).describe();
identity(new Circle(3)).diameter();
const made = make(Kind.Box);
made.scale(2).area();
total([made]);
(made as Circle).diameter();
if (isCircle(made)) made.diameter();
Units.toCm(3);
const plain: Shape = { area() { return helper(); }, scale(by) { return this; } };
plain.area();
function helper(): number { return 1; }
