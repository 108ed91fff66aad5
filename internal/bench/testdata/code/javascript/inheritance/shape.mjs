export class Shape {
  constructor(name) { this.name = name; this.setup(); }
  setup() {}
  area() { return 0; }
  label() { return this.name; }
  describe() { return this.label() + this.area(); }
  static create() { return new this('made'); }
}
