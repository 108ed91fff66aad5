package app;

import static util.Text.clean;

class Book extends Item {
    Book(String title) {
        super(title, 10);
        prepare();
    }

    private void prepare() {
        clean(label);
        clean(3);
    }

    @Override
    public int price() {
        return super.price() + extra();
    }

    int extra() {
        return 1;
    }
}

class Rare extends Book {
    Rare() {
        super("rare");
    }

    @Override
    int extra() {
        return 100;
    }
}
