/** Adds. */
export declare function add(a: number, b: number): number;
export declare function add(a: string, b: string): string;
declare const _default: { add: typeof add };
export default _default;
export declare class Calc<T = number> extends Base implements Closer {
  constructor(start: T);
  constructor(start: T, step: T);
  static of<T>(x: T): Calc<T>;
  private secret;
  step(by: T): this;
  step(): this;
}
export as namespace Calculator;
type Loaded = typeof import('./x')['y'];
