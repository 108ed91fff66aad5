import type { Shape } from './shape';
import { type Size, area as measure } from './shape';
import fs = require('fs');
import Alias = Outer.Inner;
export type { Shape } from './shape';
export type Handler<T> = (event: T) => void;
/** Options of a thing. */
export type Options = {
  name?: string;
  size: Size | null;
  run(times: number): Promise<Shape>;
};
export interface Store<K, V = unknown> extends Base<K>, ns.Readable {
  /** How many. */
  readonly count: number;
  get(key: K): V | undefined;
  get(key: K, fallback: V): V;
  on?: Handler<V>;
  new (size: number): Store<K, V>;
  (direct: string): void;
  [index: string]: any;
}
export enum Color { Red = 1, Green = compute('g'), 'dark-blue' }
declare const enum Flag { A, B }
export namespace Outer.Inner {
  export function visible(): Hidden { return new Hidden(); }
  class Hidden { go() { return visible(); } }
  export const value: number = visible().count;
}
namespace Local { function only() {} only(); }
declare module 'ambient' {
  export function outside(x: number): string;
  export function outside(x: string): string;
  const version: string;
  export default class Thing { method(): void; static make(): Thing; }
}
declare global { interface Window { app: Options } }
declare function external<T>(value: T): T;
declare let loose: any;
export function over(a: string): string;
/** Does it. */
export function over(a: number): number;
export function over(a: any): any { return measure(a); }
export function guard(this: Window, x: unknown): x is Shape { return this.app.run(1) as any; }
export function generic<T extends Shape, U>(list: T[], pick: (t: T) => U, ...rest: string[]): U { return pick(list[0]!); }
const cast = load() as Options, kept = { a: () => cast } satisfies object, old = <Shape>load(), frozen = [1] as const;
const typed: Handler<Size> = (event) => { event.width(); };
let { size, run: runner = guard }: Options = cast;
export = over;
