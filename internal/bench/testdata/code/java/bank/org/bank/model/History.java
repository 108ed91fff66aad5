package org.bank.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

public class History implements Iterable<History.Entry> {
    private final Account account;
    private final Deque<Entry> entries = new ArrayDeque<>();

    History(Account account) {
        this.account = account;
    }

    void record(String what, long amount) {
        entries.push(new Entry(what, amount));
        trim();
    }

    private void trim() {
        while (size() > 10) {
            entries.removeLast();
        }
    }

    public int size() {
        return entries.size();
    }

    public Entry last() {
        return entries.peek();
    }

    @Override
    public Iterator<Entry> iterator() {
        return entries.iterator();
    }

    public final class Entry {
        private final String what;
        private final long amount;

        private Entry(String what, long amount) {
            this.what = what;
            this.amount = amount;
        }

        public String show() {
            return account.owner() + what + format(amount);
        }
    }

    private static String format(long n) {
        return Long.toString(n);
    }
}
