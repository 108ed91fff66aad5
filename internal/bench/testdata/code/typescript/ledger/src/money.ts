export type Currency = "EUR" | "USD";

export interface Priced {
  price(): Money;
}

export class Money {
  private constructor(readonly amount: number, readonly currency: Currency) {}

  static of(amount: number, currency: Currency = "EUR"): Money {
    return new Money(amount, currency);
  }

  static get zero(): Money {
    return Money.of(0);
  }

  plus(other: Money): Money {
    assertSame(this, other);
    return Money.of(this.amount + other.amount, this.currency);
  }

  compare(other: Money): number {
    return this.amount - other.amount;
  }
}

function assertSame(a: Money, b: Money): asserts a is Money {
  if (a.currency !== b.currency) throw new MoneyError("mixed");
}

export class MoneyError extends Error {
  constructor(message: string) {
    super(message);
  }
}

export function sum<T extends Priced>(items: Iterable<T>): Money {
  let total = Money.zero;
  for (const item of items) total = total.plus(item.price());
  return total;
}
