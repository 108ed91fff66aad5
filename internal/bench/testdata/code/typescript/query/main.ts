class Query<T> {
  private preds: ((t: T) => boolean)[] = [];
  private order?: (a: T, b: T) => number;
  constructor(private rows: T[]) {}
  static from<T>(rows: T[]): Query<T> { return new Query(rows); }
  where(p: (t: T) => boolean): Query<T> { this.preds.push(p); return this; }
  sort(f: (a: T, b: T) => number): this { this.order = f; return this; }
  select<U>(f: (t: T) => U): Query<U> { return Query.from(this.toArray().map(f)); }
  toArray(): T[] { const out = this.rows.filter((r) => this.preds.every((p) => p(r))); return this.order ? out.sort(this.order) : out; }
  first(): T { return this.toArray()[0]; }
}
class User { constructor(public age: number) {} adult(): boolean { return this.age > 17; } name(): Name { return new Name(); } }
class Name { upper(): string { return ''; } }
const byAge = (a: User, b: User): number => a.age - b.age;
Query.from([new User(20), new User(30)]).where((u) => u.adult()).sort(byAge).select((u) => u.name()).first().upper();
