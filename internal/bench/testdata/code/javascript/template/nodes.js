import * as filters from './filters.js';

class Node {
  render(context) { return this.parts(context).map(String).join(''); }
  parts() { return []; }
}
export class Text extends Node {
  constructor(value) { super(); this.value = value; }
  parts() { return [this.value]; }
}
export class Slot extends Node {
  static create({ name, filters: names = [] }) { return new Slot(name, names.map(lookup)); }
  constructor(name, pipeline) { super(); Object.assign(this, { name, pipeline }); }
  parts(context) { return [this.pipeline.reduce((value, filter) => filter(value), context[this.name])]; }
}
export class Block extends Node {
  constructor(children) { super(); this.children = children; }
  parts(context) { return this.children.flatMap((child) => child.render(context)); }
}
function lookup(name) { return filters[name] ?? filters.identity; }
