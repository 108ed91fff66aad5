package demo;

class Bindings<T> {
    T current;
    private Reader reader;

    void locals(final String first, int[] sizes[], String... rest) {
        int a = 1, b[] = {2};
        var made = new Widget();
        Widget later;
        later = made;
        if (a > 0) {
            later = new SmallWidget();
            Widget hidden = later;
        }
        first = other();
        current = next();
        reader = new Reader();
        inherited = 1;
        a += 1;
        int x = later.count = 3;
    }

    void loops(java.util.Map<String, Widget> all) {
        for (int i = 0, j = start(); i < j; i++, advance()) {
            int k = i;
        }
        for (var e : all.entrySet()) {
            e.getValue();
        }
        for (final Widget w : widgets()) w.draw();
    }

    void failures() {
        try (Reader r = open(); var s = r.next(); reader) {
            r.read();
        } catch (final IOException | TimeoutException e) {
            e.printStackTrace();
        } finally {
            done();
        }
        try {
            risky();
        } catch (RuntimeException e) {
            report(e);
        }
    }

    String patterns(Object o) {
        if (o instanceof String s && s.isEmpty()) return s;
        if (o instanceof Pair(var left, Pair<Widget>(Widget inner, int n))) {
            left.use(inner);
        }
        switch (o) {
            case Integer i when i.intValue() > limit():
                small(i);
                break;
            case Circle(double r):
                round(r);
            default:
                nothing();
        }
        return switch (o) {
            case null -> "none";
            case Widget w -> w.name();
            case Pair(var a, var b) -> {
                a.join(b);
                yield b.toString();
            }
            case RED, BLUE -> colour();
            default -> throw new Unknown();
        };
    }

    Runnable lambdas(Widget outer) {
        Consumer<Widget> c = w -> {
            var inner = w;
            inner.draw();
            outer.draw();
        };
        return () -> c.accept(outer);
    }

    static class Inner {
        void touch() {
            count = new Counter();
            this.count = null;
            name = pick();
        }

        private Object count;
    }

    private String name;
}
