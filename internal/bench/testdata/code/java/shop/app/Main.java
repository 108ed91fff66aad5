package app;

import app.pay.Payment;

public class Main {
    public static void main(String[] args) {
        Cart cart = new Cart();
        cart.add(new Book("a")).add(new Rare()).add(new Item("b"));
        cart.choose(Payment.byName("card"));
        cart.checkOut();
        util.Log.of(Main.class).info("done");
        Item item = new Item("c", 3);
        item.price();
        var rare = new Rare();
        rare.price();
    }
}
