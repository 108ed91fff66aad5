package app;

public class Item {
    protected final String label;
    private final int price;

    public Item(String label) {
        this(label, 0);
    }

    public Item(String label, int price) {
        this.label = label;
        this.price = check(price);
    }

    private static int check(int n) {
        return n;
    }

    public int price() {
        return price;
    }

    public int total(int n) {
        return n * price();
    }

    public int total(double share) {
        return (int) (share * price());
    }

    @Override
    public String toString() {
        return label;
    }
}
