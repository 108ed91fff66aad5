export type Id = string & { readonly brand: unique symbol };
export interface Clock { now(): number }
export class Task {
  #done = false;
  readonly tags = new Set<Tag>();
  constructor(readonly id: Id, public title: string, private readonly clock: Clock) {}
  complete(): Task { this.#done = true; touch(this, this.clock.now()); return this; }
  get open(): boolean { return !this.#done; }
  tag(...names: string[]): void { for (const n of names) this.tags.add(Tag.intern(n)); }
  labels(): string[] { return Array.from(this.tags, (t) => t.label()); }
}
export class Tag {
  private static pool: Map<string, Tag> = new Map();
  private constructor(private name: string) {}
  static intern(name: string): Tag {
    const known = Tag.pool.get(name);
    if (known) return known.used();
    const tag = new Tag(name);
    Tag.pool.set(name, tag);
    return tag;
  }
  private used(): this { return this; }
  label(): string { return `#${this.name}`; }
}
function touch<T extends object>(x: T, at: number): T { stamps.set(x, at); return x; }
const stamps = new WeakMap<object, number>();
