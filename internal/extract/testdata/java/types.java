package shop.orders;

import java.util.List;
import java.util.function.*;
import static shop.money.Money.zero;
import static shop.Rules.*;
import shop.Catalog.Entry;

/**
 * An order of a customer.
 *
 * @param <T> what is ordered
 */
@Entity(name = "orders")
public abstract class Order<T extends Item & Comparable<T>> extends shop.base.Record<T> implements Priced, Iterable<T> {
    /** How many there may be. */
    public static final int LIMIT = 100;
    private static final List<String> NAMES = List.of("a", "b"), MORE[] = load(); // trailing, not of the next

    protected final List<T> items;
    int count = 0, grid[][];

    static {
        register(Order.class);
    }

    {
        count = initial();
    }

    // A plain comment is documentation too.
    public Order(List<T> items) {
        this(items, zero());
    }

    // This one stands apart.

    @Deprecated
    protected Order(List<T> items, final Money start) throws OrderException {
        super(start);
        this.items = items;
    }

    public abstract Money price();

    @Override
    public <R> List<R> each(Function<? super T, ? extends R> f, int... sizes) {
        return null;
    }

    private static synchronized Object[] table(int a[], String[] b) {
        return new Object[] {a, b};
    }

    native void fast();

    /** Inner of an order. */
    class Line {
        int number;
    }

    private static class Hidden {}

    interface Visitor<R> {
        int MAX = 3;

        R visit(Line line);

        default R again(Line line) {
            return visit(line);
        }

        static Visitor<String> plain() {
            return null;
        }

        private void secret() {}
    }

    @interface Entity {
        String name() default "none";

        int[] sizes() default {};
    }
}

enum State implements Priced {
    /** Not paid yet. */
    OPEN,
    PAID(1, "paid") {
        @Override
        public Money price() {
            return zero();
        }
    },
    CLOSED(2, label());

    private final int code;

    State() {
        this(0, null);
    }

    State(int code, String label) {
        this.code = code;
    }

    static String label() {
        return "closed";
    }

    public Money price() {
        return null;
    }
}

sealed interface Shape permits Circle, Square {}

record Circle(double radius) implements Shape {
    Circle {
        check(radius);
    }

    static void check(double r) {}
}

record Square<T>(double side, T... tags) implements Shape {
    static int made;

    Square(double side) {
        this(side, null);
    }
}
