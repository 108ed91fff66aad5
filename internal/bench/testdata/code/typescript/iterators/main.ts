class Node2<T> { next: Node2<T> | null = null; constructor(public val: T) {} }
class List<T> implements Iterable<T> {
  private head: Node2<T> | null = null;
  add(v: T): this { const n = new Node2(v); n.next = this.head; this.head = n; return this; }
  *[Symbol.iterator](): Iterator<T> { for (let n = this.head; n; n = n.next) yield n.val; }
  forEach(f: (t: T) => void): void { for (const v of this) f(v); }
  map<U>(f: (t: T) => U): List<U> { const out = new List<U>(); this.forEach((v) => out.add(f(v))); return out; }
}
class Song { play(): void { beep(); } }
class Len { get(): number { return 0; } }
function beep(): void {}
const songs = new List<Song>().add(new Song()).add(new Song());
for (const s of songs) s.play();
songs.forEach((s) => s.play());
[...songs].forEach((s) => s.play());
const lens = songs.map((s) => new Len());
for (const l of lens) l.get();
function* gen(): Generator<Song> { yield new Song(); }
for (const g of gen()) g.play();
const it = gen();
it.next().value?.play();
