const words = ['b', 'a'];
const len = (s) => s.length;
const cmp = (a, b) => (a < b ? -1 : 1);
const ok = (s) => !!s;
function merge(a, b) { return a + b; }
words.map(len);
words.sort(cmp);
words.filter(ok).forEach(print);
function print(s) { return s; }
words.reduce(merge, '');
words.some(ok); words.every(ok); words.find(ok); words.findIndex(ok);
words.flatMap((w) => split(w));
function split(w) { return [w]; }
'abc'.replace(/b/g, (m) => print(m));
setTimeout(print, 0, 'x');
Array.from(words, len);
new Map([[1, 2]]).forEach(visit);
function visit(v, k) { return v; }
JSON.parse('{"a":1}', revive);
function revive(k, v) { return v; }
JSON.stringify({ a: 1 }, (k, v) => revive(k, v));
process.nextTick(end);
function end() {}
class Item { constructor(n) { this.n = n; } rank() { return this.n; } static from(n) { return new Item(n); } }
const items = [1, 2].map((n) => new Item(n));
items.sort((a, b) => a.rank() - b.rank());
items[0].rank();
[3].map(Item.from)[0].rank();
items.filter((i) => i.rank() > 1).map((i) => i.rank());
const byRank = Object.fromEntries(items.map((i) => [i.n, i]));
byRank[1].rank();
items.reduce((acc, i) => { acc.push(i); return acc; }, []).forEach((i) => i.rank());
