import { Money, sum, type Priced } from "@core/money";
import { logged, note, type Token } from "./container";

export abstract class Entry implements Priced {
  constructor(protected readonly value: number) {}

  abstract kind(): string;

  price(): Money {
    return Money.of(this.value);
  }

  toString(): string {
    return `${this.kind()} ${this.price().amount}`;
  }
}

export class Debit extends Entry {
  kind() {
    return "debit";
  }
}

export class Credit extends Entry {
  kind() {
    return "credit";
  }

  override price(): Money {
    return super.price().plus(fee());
  }
}

const fee = (): Money => Money.of(1);

export enum Mode { Fast, Safe }

export namespace Modes {
  export function parse(text: string): Mode {
    return known(text) ? Mode.Fast : Mode.Safe;
  }

  function known(text: string): boolean {
    return text === "fast";
  }
}

export type Visitor = { debit(d: Debit): void; credit(c: Credit): void };

export interface Sink {
  write(line: string): Promise<void>;
}

export class Ledger<E extends Entry = Entry> {
  static readonly token: Token<Ledger> = { name: "ledger" };
  #entries: E[] = [];
  private listeners: Array<(e: E) => void> = [];

  onAdd(listener: (e: E) => void): () => void {
    this.listeners.push(listener);
    return () => this.remove(listener);
  }

  private remove(listener: (e: E) => void): void {
    this.listeners = this.listeners.filter((l) => l !== listener);
  }

  @logged
  add(entry: E): this {
    this.#entries.push(entry);
    this.listeners.forEach((l) => l(entry));
    return this;
  }

  get total(): Money {
    return sum(this.#entries);
  }

  biggest(): E | undefined {
    return [...this.#entries].sort((a, b) => a.price().compare(b.price()))[0];
  }

  accept(visitor: Visitor): void {
    for (const e of this.#entries) {
      if (e instanceof Debit) visitor.debit(e);
      else if (e instanceof Credit) visitor.credit(e);
    }
  }

  async export(sink: Sink): Promise<number> {
    await Promise.all(this.#entries.map((e) => sink.write(e.toString())));
    note("exported");
    return this.#entries.length;
  }
}
