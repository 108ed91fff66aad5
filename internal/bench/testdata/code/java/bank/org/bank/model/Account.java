package org.bank.model;

import java.util.Objects;

public abstract class Account implements Comparable<Account> {
    private static int next = 1;
    protected long balance;
    private final String owner;
    private final History history;

    protected Account(String owner) {
        this.owner = Objects.requireNonNull(owner);
        this.history = new History(this);
        next = bump(next);
    }

    private static int bump(int n) {
        return n + 1;
    }

    public final void deposit(long amount) {
        validate(amount);
        apply(amount);
        history.record("deposit", amount);
    }

    protected void validate(long amount) {
        if (amount < 0) throw new BadAmount(amount);
    }

    protected abstract void apply(long amount);

    public History history() {
        return history;
    }

    public String owner() {
        return owner;
    }

    @Override
    public int compareTo(Account other) {
        return owner().compareTo(other.owner());
    }

    public static class BadAmount extends RuntimeException {
        private final long amount;

        BadAmount(long amount) {
            super(text(amount));
            this.amount = amount;
        }

        private static String text(long amount) {
            return "bad " + amount;
        }

        public long amount() {
            return amount;
        }
    }
}
