package app.pay;

public class Card extends Base implements Payment {
    @Override
    public boolean pay(int amount) {
        return charge(amount);
    }

    private boolean charge(int amount) {
        audit();
        return amount > 0;
    }
}
