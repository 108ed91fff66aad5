type Ctor<T> = new (...args: any[]) => T;
type Factory<T> = (c: Container) => T;

export class Container {
  private factories = new Map<Ctor<unknown>, Factory<unknown>>();
  bind<T>(type: Ctor<T>, factory: Factory<T>): this { this.factories.set(type, factory); return this; }
  get<T>(type: Ctor<T>): T {
    const factory = this.factories.get(type) as Factory<T> | undefined;
    return factory ? factory(this) : new type();
  }
}

export function Singleton<T extends Ctor<object>>(target: T): T {
  return class extends target { constructor(...args: any[]) { super(...args); remember(this); } };
}
const remember = (x: object) => x;
