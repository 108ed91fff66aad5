import { wrench as turn } from './tools.mjs';

export class Pipe {
  constructor(steps) { this.steps = steps; }
  then(step) { this.steps.push(step); return this; }
  go() { turn(); return this.steps.reduce((x, s) => s(x), 0); }
}
