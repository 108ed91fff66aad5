class Res implements AutoCloseable {
    Res() { open(); }
    private void open() {}
    void read() throws Bad { throw new Bad("x"); }
    @Override public void close() { release(); }
    private void release() {}
}
class Bad extends Exception {
    Bad(String m) { super(fmt(m)); }
    static String fmt(String m) { return m; }
    int code() { return 1; }
}
class Worse extends Bad {
    Worse() { super("worse"); }
    @Override int code() { return 2; }
}
public class Main {
    static void handle(Bad b) { b.code(); }
    static void done() {}
    public static void main(String[] args) {
        try (Res r = new Res()) {
            r.read();
            if (args.length > 3) throw new Worse();
        } catch (Bad e) {
            handle(e);
        } finally {
            done();
        }
    }
}
