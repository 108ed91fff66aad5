package fn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

class Pipeline {
    private final List<Runnable> hooks = new ArrayList<>();
    private final Supplier<Square> maker = Square::new;
    private Runnable last = this::report;

    void direct() {
        Runnable task = () -> report();
        task.run();
        Function<Square, Side> side = s -> s.side();
        side.apply(new Square()).length();
        Step<String, Integer> count = String::length;
        count.run("abc");
    }

    void passed() {
        apply(this::report);
        apply(() -> audit(1));
        apply(Pipeline::reset);
        each(List.of(new Square()), square -> square.side());
    }

    void apply(Runnable r) {
        r.run();
    }

    <T> void each(List<T> all, Consumer<T> what) {
        for (T t : all) {
            what.accept(t);
        }
    }

    void streams(List<Square> squares, List<Shape> shapes) {
        squares.stream().map(Square::side).forEach(side -> side.length());
        shapes.forEach(shape -> shape.area());
        shapes.stream().filter(s -> s.area() > 1).map(s -> s.name()).toList();
        squares.sort((a, b) -> compare(a, b));
    }

    private static int compare(Square a, Square b) {
        return Double.compare(a.area(), b.area());
    }

    void stored() {
        maker.get().side();
        last.run();
        last = () -> audit(2);
        hooks.add(this::report);
    }

    Supplier<Side> returned() {
        return () -> fallback();
    }

    void useReturned() {
        returned().get().length();
    }

    void chosen(boolean b) {
        Runnable r = b ? this::report : Pipeline::reset;
        r.run();
    }

    void chained() {
        Step<Square, Side> first = s -> s.side();
        first.then(side -> side.length()).run(new Square());
    }

    private Side fallback() {
        return new Side();
    }

    private void report() {}

    private void audit(int level) {}

    private static void reset() {}
}
