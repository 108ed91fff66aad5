import { Money } from '~/money';
import { Bus, Closed, Deposited, type Events } from '~/events';

export interface Policy { allows(account: Account, amount: Money): boolean }
export class Unlimited implements Policy { allows() { return true; } }
export class NoDebt implements Policy {
  allows(account: Account, amount: Money) { return !account.balance.plus(amount).isNegative; }
}

type Entry = { amount: Money; note?: string };
abstract class Entity<Id = string> {
  constructor(readonly id: Id) { this.check(); }
  protected abstract check(): void;
  equals(other: Entity<Id>): boolean { return this.same(other.id); }
  private same(id: Id): boolean { return this.id === id; }
}

export class Account extends Entity {
  #entries: Entry[] = [];
  constructor(id: string, private policy: Policy, readonly bus: Bus<Events> = new Bus()) { super(id); }
  protected check(): void { assert(this.id.length > 0); }
  get balance(): Money { return this.#entries.reduce((sum, e) => sum.plus(e.amount), Money.zero); }
  deposit(amount: Money, note?: string): this {
    this.#add({ amount, note });
    this.bus.emit('deposited', new Deposited(amount.cents));
    return this;
  }
  withdraw(amount: Money): this {
    const out = amount.negate();
    if (this.policy.allows(this, out)) this.#add({ amount: out });
    return this;
  }
  close(): void { this.bus.emit('closed', new Closed()); }
  #add(entry: Entry): void { this.#entries.push(entry); validate(entry); }
}
function validate({ amount, note = describe(amount) }: Entry): void { assert(!!note); }
function describe(amount: Money): string { return amount.toString(); }
export function assert(ok: boolean): asserts ok { if (!ok) throw new Failure('no'); }
export class Failure extends Error { constructor(message: string) { super(message); this.log(); } private log() {} }
