package org.bank.model;

public final class Accounts {
    private Accounts() {}

    public static Account open(String kind, String owner) {
        switch (kind) {
            case "savings":
                return new Savings(owner, 0.02);
            case "checking":
                return new Checking(owner);
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    public static Account open(String owner) {
        return open("checking", owner);
    }
}

class Savings extends Account {
    private final double rate;

    Savings(String owner, double rate) {
        super(owner);
        this.rate = rate;
    }

    @Override
    protected void apply(long amount) {
        balance += amount + interest();
    }

    private long interest() {
        return Math.round(balance * rate);
    }
}

class Checking extends Account {
    Checking(String owner) {
        super(owner);
    }

    @Override
    protected void validate(long amount) {
        super.validate(amount);
        limit();
    }

    @Override
    protected void apply(long amount) {
        balance += amount;
    }

    void limit() {}
}
