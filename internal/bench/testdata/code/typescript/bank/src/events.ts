export interface Events { deposited: Deposited; closed: Closed }
export class Deposited { constructor(readonly amount: number) {} describe() { return 'deposited'; } }
export class Closed { describe() { return 'closed'; } }
type Listener<E> = (event: E) => void;

export class Bus<M> {
  private readonly listeners = new Map<keyof M, Set<Listener<any>>>();
  on<K extends keyof M>(name: K, listener: Listener<M[K]>): () => void {
    this.slot(name).add(listener);
    return () => { this.slot(name).delete(listener); };
  }
  emit<K extends keyof M>(name: K, event: M[K]): void {
    this.slot(name).forEach((listener) => listener(event));
  }
  private slot(name: keyof M): Set<Listener<any>> {
    let slot = this.listeners.get(name);
    if (!slot) this.listeners.set(name, (slot = new Set()));
    return slot;
  }
}
