export const Observable = (Base) => class extends Base {
  #handlers = new Map();

  on(name, handler) {
    const list = this.#handlers.get(name) ?? [];
    list.push(handler);
    this.#handlers.set(name, list);
    return this;
  }

  emit(name, ...args) {
    for (const handler of this.#handlers.get(name) ?? []) handler(...args);
    this.trace(name);
  }

  trace(name) {}
};

export const Timed = (Base) => class extends Base {
  get age() {
    return now() - this.born;
  }

  touch() {
    this.born = now();
    return this;
  }
};

function now() {
  return Date.now();
}

export function memo(fn) {
  const seen = new Map();
  return (key) => {
    if (!seen.has(key)) seen.set(key, fn(key));
    return seen.get(key);
  };
}

export default class Entity {
  static #count = 0;

  static next() {
    return ++Entity.#count;
  }

  constructor(title) {
    this.id = Entity.next();
    this.title = title;
  }

  toString() {
    return this.format();
  }

  format() {
    return this.title;
  }
}
