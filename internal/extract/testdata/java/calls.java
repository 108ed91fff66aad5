package demo;

import java.util.*;

class Base {
    Base(int n) {}

    void hook() {}
}

interface Named {
    default String label() {
        return "x";
    }
}

class Calls extends Base implements Named {
    private final Service service = new Service(config());
    private Service other;
    private Runnable task = () -> service.run();
    Shape shape = new Circle();

    Calls() {
        super(size());
        other = new FastService();
        this.other = service;
        shape = new Square();
    }

    static int size() {
        return 1;
    }

    static Config config() {
        return Config.load("a.toml").with(Config.Mode.FAST).build();
    }

    @Override
    void hook() {
        super.hook();
        Named.super.label();
        this.hook();
        Calls.this.hook();
        java.util.List.of(1, 2L);
        Collections.<String>emptyList();
        new Calls().service.run();
        new Outer.Inner<String>(3).go();
        outer().new Inner(4);
        ((Service) lookup("s")).run();
        (pick() ? service : other).run();
        items()[0].touch();
        items()[next()].touch();
        Service.class.getName();
        "text".trim();
        LIMIT.get();
        String text = "a" + name() + 'c';
        log("n" + 1, 2.5, 2f, true, null, !done(), 1 < 2);
        int[] counts = {one(), two()};
        Service[] many = new Service[] {service, make()}, none = new Service[size()];
        service.total += add();
        this.shape.grow(n -> n + 1, (a, b) -> a.plus(b), (int x) -> {
            return twice(x);
        });
        label: while (more()) {
            if (stop()) break label;
            else continue;
        }
        do {
            step();
        } while (again());
        assert valid() : message();
        synchronized (lock()) {
            inside();
        }
        throw new IllegalStateException(reason());
    }

    void references() {
        Runnable a = this::hook, b = super::hook;
        run(Calls::size, Calls::new, int[]::new, List<String>::size, config()::build, demo.Tools::fix);
    }

    Object anonymous(String name) {
        Named n = new Named() {
            private final String kept = prepare(name);

            @Override
            public String label() {
                return inner(() -> name.trim());
            }
        };
        class Local extends Base {
            Local() {
                super(1);
            }

            void hook() {
                size();
            }
        }
        new Local().hook();
        return new Thread(new Runnable() {
            public void run() {
                n.label();
            }
        }) {
            @Override
            public void start() {
                super.start();
            }
        };
    }
}
