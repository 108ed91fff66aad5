import { EventEmitter } from 'node:events';
import * as actions from './actions.mjs';

export const states = {
  idle: { enter: () => actions.reset(), on: { start: 'running' } },
  running: { enter() { this.count = tick(this.count); }, on: { stop: 'idle' }, leave: actions.flush },
};
function tick(n = 0) { return n + 1; }

export class Machine extends EventEmitter {
  static #known = new Map();
  #state = 'idle';
  #listeners = new Set();
  constructor(name, table = states) {
    super();
    this.table = table;
    Machine.#known.set(name, this);
  }
  static named(name) { return Machine.#known.get(name); }
  get current() { return this.table[this.#state]; }
  set current(name) { this.#move(name); }
  send(event) {
    const target = this.current.on[event];
    if (target) this.current = target;
    for (const listener of this.#listeners) listener(this.#state);
    return this;
  }
  watch(listener) {
    this.#listeners.add(listener);
    return () => this.unwatch(listener);
  }
  unwatch(listener) { this.#listeners.delete(listener); }
  #move(name) {
    this.current.leave?.();
    this.#state = name;
    this.current.enter();
  }
}
