import { Machine } from './machine.mjs';
import work, { later as schedule } from './actions.mjs';

const machine = new Machine('m');
const off = machine.watch(show);
machine.send('start').send('stop');
off();
Machine.named('m').send('start');
schedule(double, 2);
work.later(show, 'x');
work.flush();

function show(state) { return print`state ${state}`; }
function print(parts, ...values) { return parts.concat(values); }
function double(n) { return n * 2; }

function sum() { return Array.prototype.reduce.call(arguments, plus, 0); }
const plus = (a, b) => a + b;
sum(1, 2);

const handlers = [['a', show], ['b', double]];
for (const [key, fn] of handlers) fn(key);
const byName = Object.fromEntries(handlers);
byName.a(1);
const lookup = new Map(handlers);
lookup.get('b')(2);

const proxy = new Proxy({ hi() { return show(1); } }, { get: trap });
function trap(target, key) { return target[key]; }
proxy.hi();

const lazy = { get tool() { return (this.cached ??= new Tool()); } };
class Tool { static { Tool.setup(); } static setup() {} use() { return this; } then(resolve) { resolve(1); } }
lazy.tool.use();

function visit(node, visitor) { return visitor['visit' + node.type]?.(node); }
visit({ type: 'Leaf' }, { visitLeaf(n) { return double(n); }, visitTree: show });

const once = (fn) => { let done = false, out; return (...args) => (done ? out : ((done = true), (out = fn(...args)))); };
const init = once(double);
init(4);
[1, 2].map(init).filter(Boolean).forEach(show);
(async function run() {
  for await (const item of pages()) show(item);
  const [first] = await Promise.all([load(), load()]);
  first.use();
  await Promise.race([load()]).then(({ use }) => use);
})();
async function* pages() { yield await load(); }
const load = async () => new Tool();
