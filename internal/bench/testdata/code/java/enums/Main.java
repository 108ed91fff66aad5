import java.util.function.IntBinaryOperator;
enum Op implements IntBinaryOperator {
    PLUS("+") { public int applyAsInt(int a, int b) { return sum(a, b); } },
    TIMES("*") { public int applyAsInt(int a, int b) { return a * b; } };
    private final String sign;
    Op(String sign) { this.sign = sign; }
    static int sum(int a, int b) { return a + b; }
    static Op parse(String s) { for (Op o : values()) if (o.matches(s)) return o; return PLUS; }
    boolean matches(String s) { return sign.equals(s); }
}
enum Level {
    LOW(Level::low), HIGH(() -> Level.high());
    private final Runnable act;
    Level(Runnable act) { this.act = act; }
    void fire() { act.run(); }
    static void low() {}
    static void high() {}
}
public class Main {
    public static void main(String[] args) {
        Op.parse("+").applyAsInt(1, 2);
        Level.HIGH.fire();
        Level.valueOf("LOW").fire();
        switch (Op.PLUS) {
            case PLUS -> Op.sum(1, 1);
            default -> Level.low();
        }
    }
}
