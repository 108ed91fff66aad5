export class Money {
  private constructor(readonly cents: number, readonly currency: Currency) {}
  static of(amount: number, currency: Currency = 'EUR'): Money { return new Money(round(amount * 100), currency); }
  static readonly zero = Money.of(0);
  plus(other: Money): Money { return this.with(this.cents + other.cents); }
  negate = (): Money => this.with(-this.cents);
  private with(cents: number): Money { return new Money(cents, this.currency); }
  get isNegative(): boolean { return sign(this.cents) < 0; }
  toString(): string { return formats[this.currency](this.cents / 100); }
}
export type Currency = 'EUR' | 'USD';
const formats: Record<Currency, (n: number) => string> = { EUR: (n) => euro(n), USD: dollar };
function euro(n: number): string { return `${n} €`; }
function dollar(n: number): string { return `$${n}`; }
const round = (n: number) => Math.round(n);
function sign(n: number): number { return Math.sign(n); }
