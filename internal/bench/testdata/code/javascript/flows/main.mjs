import compose, { twice, Pipe as Line } from './parts/index.mjs';
import * as parts from './parts/index.mjs';

const inc = (n) => n + 1;
const double = function (n) { return n * 2; };
const table = { inc, double, nested: { deep: inc }, run(name) { return this[name](1); } };

function apply(f, x) { return f(x); }
function late(f = inc) { return f(0); }
function first([head, ...rest]) { head(1); rest[0](2); }
function options({ before, after: end = inc }, ...more) { before(); end(1); more[0](2); }
function ident(f) { return f; }
function curry(a) { return (b) => (c) => apply(a, b + c); }

apply(inc, 1);
apply(twice(double), 2);
late();
first([inc, double]);
options({ before: sayHi }, double);
ident(sayHi)();
curry(inc)(1)(2);
table.nested.deep(1);
table['double'](2);
table.run('inc');
const { double: dub } = table;
dub(3);
let chosen;
if (process.argv.length > 2) chosen = inc;
else chosen = double;
chosen(1);
const [a, b] = [inc, sayHi];
a(1);
b();
compose(inc, double)(3);
new Line([inc]).then(double).go();
parts.twice(inc);
parts.tools.wrench();

function sayHi() { return `hi ${twice(inc)(1)}`; }

function* numbers() { yield inc; yield double; }
for (const f of numbers()) f(1);

class Tree {
  #root = new Node();
  static of() { return new this(); }
  get root() { return this.#root; }
  grow() { return this.root.split(); }
  *[Symbol.iterator]() { yield this.#root; }
}
class Node { split() { return this; } }
Tree.of().grow();
for (const node of new Tree()) node.split();

async function load() {
  const node = await fetchNode();
  node.split();
  fetchNode().then((n) => n.split());
  const { wrench } = await import('./parts/tools.mjs');
  wrench();
}
async function fetchNode() { return new Node(); }
load();
try { throw new Failure(); } catch (e) { e.report?.(); }
class Failure extends Error { report() { return this.message; } }
(x => x(1))(inc);
tag`a${inc(1)}`;
function tag(strings, value) { return strings.join(value); }
