package lang;

class Animal {
    String name = "animal";

    String name() {
        return name;
    }

    void speak() {
        sound();
    }

    protected void sound() {}

    static void create() {}

    void feed(Object o) {}

    void feed(String s) {}
}

class Cat extends Animal {
    @Override
    protected void sound() {
        super.sound();
        new Animal() {
            @Override
            protected void sound() {
                purr();
            }
        }.speak();
    }

    private void purr() {
        Cat.create();
        name().trim();
        name.trim();
    }

    void feed(int n) {}

    static void create() {}

    void eat() {
        feed(1);
        feed("fish");
        int size = size();
        Runnable r = this::purr;
        r.run();
    }

    int size() {
        return 1;
    }
}

class Wrap {
    private Animal animal = new Cat();

    void go(boolean b) {
        animal.speak();
        Animal local;
        if (b) local = new Cat();
        else local = new Animal();
        local.sound();
        Animal sure = new Animal();
        sure.sound();
        try {
            risky(sure);
        } catch (Failure | Other e) {
            e.explain();
        } finally {
            close();
        }
        try (Door door = Door.open()) {
            door.knock();
        }
    }

    void risky(Animal a) throws Failure, Other {
        throw new Failure(1);
    }

    void close() {}
}

class Problem extends Exception {
    void explain() {}
}

class Failure extends Problem {
    Failure(int code) {}
}

class Other extends Problem {
    @Override
    void explain() {}
}

class Door implements AutoCloseable {
    static Door open() {
        return new Door();
    }

    void knock() {}

    @Override
    public void close() {}
}
