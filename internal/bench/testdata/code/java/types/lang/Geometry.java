package lang;

sealed interface Solid permits Cube, Ball {
    int volume();
}

record Cube(int side, Paint paint) implements Solid {
    Cube {
        verify(side);
    }

    Cube(int side) {
        this(side, Paint.plain());
    }

    private static void verify(int n) {}

    public int volume() {
        return side() * side;
    }
}

record Ball(int radius) implements Solid {
    public int volume() {
        return radius;
    }
}

record Paint(String name) {
    static Paint plain() {
        return new Paint("plain");
    }

    String shown() {
        return name().trim();
    }
}

class Geometry {
    int measure(Solid s) {
        return switch (s) {
            case Cube c when c.volume() > 3 -> c.volume();
            case Cube(int side, Paint paint) -> paint.shown().length();
            case Ball b -> round(b);
        };
    }

    String test(Object o) {
        if (o instanceof Cube cube) {
            return cube.paint().shown();
        }
        if (!(o instanceof Ball ball)) {
            return null;
        }
        ball.volume();
        return switch (o.hashCode()) {
            case 1 -> one();
            default -> {
                two();
                yield one();
            }
        };
    }

    private int round(Ball b) {
        return b.volume();
    }

    private String one() {
        return "1";
    }

    private void two() {}
}
