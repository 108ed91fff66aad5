package org.bank.core;

import java.util.List;
import org.bank.model.Account;
import org.bank.model.Accounts;
import org.bank.model.History;

public class Bank implements Repository.Observer<Account> {
    private final Repository<String, Account> accounts = new Repository<>();
    private final Visitor[] visitors = {new Printer(), new Counter()};
    private int count;

    public Bank() {
        accounts.observe(this);
        accounts.observe(a -> audit(a));
    }

    public Account open(String name) {
        Account a = Accounts.open("savings", name);
        accounts.save(name, a).save(name + "2", Accounts.open(name));
        return a;
    }

    @Override
    public void changed(Account account) {
        count++;
        account.history().size();
    }

    private void audit(Account a) {
        for (History.Entry e : a.history()) {
            e.show();
        }
    }

    public void pay(String from, long amount) {
        accounts.require(from).deposit(amount);
        accounts.find(from).get().owner();
        accounts.find(from).ifPresent(this::audit);
    }

    List<Account> rich() {
        return accounts.where(a -> isRich(a));
    }

    private static boolean isRich(Account a) {
        return a.history().last().show().isEmpty();
    }

    void visit() {
        for (Visitor v : visitors) {
            v.visit(this);
        }
        visitors[0].visit(this);
        Visitor.all(visitors);
    }

    int retry(int times) {
        try {
            pay("a", times);
            return times;
        } catch (Account.BadAmount e) {
            e.amount();
            return times > 0 ? retry(times - 1) : fail();
        }
    }

    private int fail() {
        return -1;
    }

    int count() {
        return count;
    }
}

interface Visitor {
    void visit(Bank bank);

    static void all(Visitor... vs) {
        for (Visitor v : vs) v.visit(null);
    }
}

class Printer implements Visitor {
    @Override
    public void visit(Bank bank) {
        print(bank.count());
    }

    void print(Object o) {}

    void print(int n) {}
}

class Counter implements Visitor {
    static int seen;

    @Override
    public void visit(Bank bank) {
        seen += bank.rich().size();
        for (Account a : bank.rich()) a.owner();
        bank.rich().forEach(Account::owner);
    }
}
