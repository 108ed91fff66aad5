export interface Shape {
  area(): number;
  scale(by: number): Shape;
}

export abstract class Base implements Shape {
  protected readonly notes: string[] = [];
  constructor(protected readonly name: string) {
    this.init();
  }
  protected init(): void {}
  abstract area(): number;
  abstract scale(by: number): Shape;
  describe(): string {
    return `${this.name} ${this.area()}`;
  }
}

export class Circle extends Base {
  constructor(private r: number) {
    super('circle');
  }
  area(): number { return Math.PI * square(this.r); }
  scale(by: number): Circle { return new Circle(this.r * by); }
  diameter(): number { return this.r * 2; }
}

export class Box extends Base {
  private sides = new Sides(1, 2);
  area(): number { return this.sides.product(); }
  scale(by: number): Box { this.sides = this.sides.times(by); return this; }
  protected override init(): void { super.init(); }
}

class Sides {
  constructor(readonly a: number, readonly b: number) {}
  product(): number { return this.a * this.b; }
  times(by: number): Sides { return new Sides(this.a * by, this.b * by); }
}

export function square(n: number): number;
export function square(n: string): number;
export function square(n: any): number { return Number(n) ** 2; }

export namespace Units {
  export function toCm(n: number): number { return factor() * n; }
  function factor(): number { return 2.54; }
}

export enum Kind { Circle, Box }
