const EventEmitter = require('events');
class Store extends EventEmitter {
  constructor() { super(); this.on('change', this.onChange); this.state = 0; }
  onChange() { return 1; }
  set(v) { this.state = v; this.emit('change', v); }
}
const store = new Store();
store.on('change', (v) => log(v));
store.once('change', log);
function log(v) { return v; }
store.set(1);
class Bus {
  constructor() { this.map = new Map(); }
  on(name, fn) { if (!this.map.has(name)) this.map.set(name, []); this.map.get(name).push(fn); return () => this.off(name, fn); }
  off(name, fn) { this.map.set(name, (this.map.get(name) || []).filter((f) => f !== fn)); }
  emit(name, ...args) { for (const fn of this.map.get(name) ?? []) fn(...args); }
}
const bus = new Bus();
const stop = bus.on('x', log);
bus.emit('x', 1);
stop();
const middleware = [];
const use = (fn) => middleware.push(fn);
use((ctx, next) => { log(ctx); next(); });
use(last);
function last(ctx) { return ctx; }
function runAll(ctx) { let i = 0; const next = () => { const m = middleware[i++]; if (m) m(ctx, next); }; next(); }
runAll({});
