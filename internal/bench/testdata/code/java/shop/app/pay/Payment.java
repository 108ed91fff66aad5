package app.pay;

import util.Log;

public interface Payment {
    Log LOG = Log.of(Payment.class);

    boolean pay(int amount);

    default boolean payTwice(int amount) {
        return pay(amount) && pay(amount);
    }

    static Payment byName(String name) {
        return name.equals("card") ? new Card() : new Cash();
    }
}
