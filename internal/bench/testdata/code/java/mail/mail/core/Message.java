package mail.core;

import java.util.Iterator;
import java.util.List;

public sealed interface Message permits Message.Letter, Message.Parcel {
    String to();

    default String label() {
        return prefix() + to();
    }

    private String prefix() { return "-> "; }

    record Letter(String to, int pages) implements Message {
        public Letter {
            require(pages);
        }

        Letter(String to) { this(to, 1); }

        static void require(int n) {
            if (n < 1) throw new IllegalArgumentException();
        }
    }

    record Parcel(String to, Size size) implements Message {
        @Override
        public String label() {
            return Message.super.label() + size.mark();
        }
    }

    enum Size {
        SMALL, LARGE {
            @Override
            String mark() { return stars(2); }
        };

        String mark() { return stars(1); }

        static String stars(int n) { return "*".repeat(n); }
    }

    final class Bag implements Iterable<Message> {
        private final List<Message> all;

        private Bag(Builder b) { this.all = List.copyOf(b.items); }

        public static Builder builder() { return new Builder(); }

        @Override
        public Iterator<Message> iterator() { return all.iterator(); }

        public static class Builder {
            private final List<Message> items = new java.util.ArrayList<>();

            public Builder with(Message m) {
                items.add(check(m));
                return this;
            }

            private <M extends Message> M check(M m) {
                m.to();
                return m;
            }

            public Bag build() { return new Bag(this); }
        }
    }
}
