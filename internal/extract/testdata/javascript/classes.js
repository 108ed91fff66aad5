/**
 * A thing that is kept.
 */
@registered
@named('thing', lookup())
class Thing extends mix(Base, other.Mixin) {
  static count = start();
  #secret = new Secret();
  plain;
  handler = () => { this.#reveal(this.plain); };
  static make = function () { return new this(); };
  options = { retry() { return again(); }, limit: 3 };
  // Makes it.
  constructor(name, { size } = {}) {
    super(name);
    this.plain = new Plain(size);
    this.late = this.plain.late;
    this.late = null;
    this.onClick = this.onClick.bind(this);
    this.run = function () { return this.late; };
    this['key'] = name;
    [this.a, this.b] = pair();
  }
  @bound onClick(event) { super.onClick(event); return Thing.of(event); }
  static of(x) { return new Thing(x); }
  get value() { return this.late; }
  set value(v) { this.late = v; }
  async *stream() { yield await this.next(); }
  #reveal(x) { return this.#secret.show(x) ?? x?.#secret; }
  static { Thing.registry = build(); this.of(1); }
  [Symbol.iterator]() { return this.stream(); }
  'quoted name'() {}
  delete() {}
}
const Expr = class Inner { m() { return new Inner(); } };
const Mixed = (Base) => class extends Base { mixed() { return super.mixed(); } };
export { Thing as default };
register(class { go() {} }, class Named {});
class Empty extends null {}
