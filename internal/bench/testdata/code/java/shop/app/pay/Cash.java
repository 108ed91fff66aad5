package app.pay;

public class Cash extends Base implements Payment {
    @Override
    public boolean pay(int amount) {
        super.audit();
        return count(amount);
    }

    boolean count(int amount) {
        return true;
    }

    @Override
    protected void audit() {}
}
