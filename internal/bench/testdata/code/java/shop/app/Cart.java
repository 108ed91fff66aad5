package app;

import app.pay.Payment;
import java.util.ArrayList;
import java.util.List;
import util.Log;

public class Cart {
    private final List<Item> items = new ArrayList<>();
    private final Log log = new Log("cart");
    private Payment payment;

    static {
        setUp();
    }

    private static void setUp() {}

    public Cart add(Item item) {
        items.add(item);
        log.info("add").warn("more", 1, 2).size();
        return this;
    }

    public int sum() {
        int sum = 0;
        for (Item item : items) {
            sum += item.total(2);
        }
        return sum + items.get(0).total(0.5);
    }

    void choose(Payment payment) {
        this.payment = payment;
    }

    boolean checkOut() {
        return payment.payTwice(sum()) && this.payment.pay(1);
    }
}
