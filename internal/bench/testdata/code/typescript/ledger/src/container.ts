export type Token<T> = { readonly name: string; readonly type?: T };
export type Factory<T> = (c: Container) => T;

export class Container {
  private readonly factories = new Map<string, Factory<unknown>>();

  bind<T>(token: Token<T>, factory: Factory<T>): this {
    this.factories.set(token.name, factory);
    return this;
  }

  get<T>(token: Token<T>): T {
    const factory = this.factories.get(token.name);
    return (factory ?? missing)(this) as T;
  }
}

function missing(): never {
  throw new Error("missing");
}

export function logged(target: object, key: string, descriptor: PropertyDescriptor) {
  const inner = descriptor.value;
  descriptor.value = function (...args: unknown[]) {
    note(key);
    return inner.apply(this, args);
  };
}

export const note = (text: string): void => console.log(text);
