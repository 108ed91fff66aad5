export interface Named { name(): string; }
export interface Shape extends Named { area(): number; }
abstract class Base implements Shape {
  abstract area(): number;
  name(): string { return this.prefix() + 'x'; }
  protected prefix(): string { return ''; }
}
export class Circle extends Base { constructor(private r: number) { super(); } area(): number { return this.r; } }
export class Square extends Base { constructor(private s: number) { super(); } area(): number { return this.s ** 2; } protected prefix(): string { return 'sq' + super.prefix(); } }
