interface Events { open: (id: number) => void; close: () => void; }
class Bus { private subs: { [K in keyof Events]: Set<Events[K]> } = { open: new Set(), close: new Set() };
  on<K extends keyof Events>(k: K, f: Events[K]): () => void { this.subs[k].add(f); return () => this.off(k, f); }
  off<K extends keyof Events>(k: K, f: Events[K]): void { this.subs[k].delete(f); }
  open(id: number): void { this.subs.open.forEach((f) => f(id)); }
  close(): void { for (const f of this.subs.close) f(); }
}
class Panel { constructor(private bus: Bus) { bus.on('open', this.onOpen); bus.on('close', () => this.onClose()); } private onOpen = (id: number): void => { this.draw(id); }; private onClose(): void {} private draw(id: number): void {} }
const bus = new Bus();
new Panel(bus);
const undo = bus.on('close', bye);
function bye(): void {}
bus.open(1); bus.close();
undo();
