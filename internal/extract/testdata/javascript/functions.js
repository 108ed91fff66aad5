// What functions are, take and give back.
const arrow = (a, { b, c: [d, , e] = [] }, ...more) => a.run(b, d, e, more);
const single = x => x;
const wrapped = /** inline */ (function named(n) { return n ? named(n - 1) : 0; });
let later;
later = function () { return arrow(1, {}); };
async function wait(job = arrow, [first, ...others] = job()) {
  const done = await job.finish();
  for await (const chunk of job) chunk.use();
  return done || first;
}
function* count(from) {
  yield from.next();
  yield* count(from);
  return 3;
}
const object = {
  plain: 1,
  nested: { deep() { return this.other(); }, other: async function () {} },
  /** Says hello. */
  method(a) { return this.arrow(a); },
  arrow: (a) => arrow(a),
  get size() { return measure(this); },
  set size(v) { store(v); },
  *items() { yield 1; },
  [computed()]: () => hidden(),
  ['fixed']() {},
  'quoted-key': function () {},
  short: single, wait,
  ...defaults(),
};
function outer() {
  const inner = () => helper();
  function helper() { return inner; }
  const table = { a: helper, b() { return this.a(); } };
  table.c = inner;
  table['d'] = () => inner();
  table[key()] = helper;
  let x = table, y;
  ({ a: x, ...y } = table);
  [x, y[0]] = [y, x];
  x ||= inner;
  x += y();
  if (x) { let x = 1; { const x = helper; x(); } var hoisted = helper; } else { class Local { go() { outer(); } } new Local().go(); }
  for (let i = 0, n = start(); i < n; i++) step(i);
  for (const [k, v] of Object.entries(table)) v(k);
  for (const { f } of list()) f();
  for (const key in table) table[key]();
  for (y of [1]) y;
  try { risky(); } catch ({ message }) { log(message); } finally { end(); }
  try { risky(); } catch (error) { log(error); }
  switch (kind()) { case one(): let z = two(); z(); break; default: three(); }
  label: while (cond()) { do { work(); } while (again()); }
  return function () { return hoisted; };
}
const tagged = html`<p>${render(1)}</p>`;
const text = `plain`, regex = /a/g, nothing = undefined;
arrow?.(1)?.chain?.().end['x'](), (0, object.method)(2), object['method'](3), list[i](4);
arrow(...spread(), function callback() { callback.x(); }, () => (a(), b()));
(() => { immediate(); })();
new (factory())(1), new ns.Thing, new object.Klass(2);
const pick = cond ? arrow : single, either = a() && b() || c() ?? d(), neg = !e(), t = typeof f(), v = void g();
arrow.call(null, 1); arrow.bind(this)(2);
delete table.x, await top();
