type Ev = { kind: 'a'; run: () => number } | { kind: 'b'; item: Item };
class Item { use(): number { return 1; } }
class Special extends Item { use(): number { return 2; } extra(): number { return 3; } }
class Other { use(): number { return 9; } }
function handle(e: Ev): number { switch (e.kind) { case 'a': return e.run(); case 'b': return e.item.use(); } }
function narrow(x: Item | Other): number { if (x instanceof Item) return x.use(); return x.use(); }
function isSpecial(i: Item): i is Special { return i instanceof Special; }
function guard(i: Item): number { if (isSpecial(i)) return i.extra(); return i.use(); }
function one(): number { return 1; }
function assertOk(v: unknown): asserts v is Item { check(v); }
function check(v: unknown): void {}
function unknownIn(v: unknown): void { assertOk(v); v.use(); }
function callable(f: string | (() => number)): number { return typeof f === 'function' ? f() : 0; }
handle({ kind: 'a', run: one });
handle({ kind: 'b', item: new Item() });
narrow(new Item()); narrow(new Other());
guard(new Special()); guard(new Item());
unknownIn(new Item());
callable(one); callable('x');
