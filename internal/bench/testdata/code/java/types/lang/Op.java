package lang;

enum Op {
    PLUS("+") {
        @Override
        int apply(int a, int b) {
            return add(a, b);
        }
    },
    MINUS("-") {
        @Override
        int apply(int a, int b) {
            return a - b;
        }
    };

    private final String sign;

    Op(String sign) {
        this.sign = quote(sign);
    }

    static String quote(String s) {
        return s;
    }

    abstract int apply(int a, int b);

    int add(int a, int b) {
        return a + b;
    }

    static int all(int a) {
        int n = PLUS.apply(a, 1);
        for (Op op : values()) {
            n += op.apply(n, a);
        }
        return n;
    }

    static Op pick(boolean b) {
        return b ? PLUS : MINUS;
    }

    static int picked() {
        return pick(true).apply(1, 2);
    }
}

enum Level {
    LOW,
    HIGH;

    Level next() {
        return this == LOW ? HIGH : LOW;
    }

    static Level top() {
        return LOW.next().next();
    }
}
