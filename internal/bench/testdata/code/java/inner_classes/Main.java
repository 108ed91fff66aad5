public class Main {
    private int n;
    class Inner {
        void hit() { bump(); Main.this.log(); }
        class Deep { void go() { hit(); bump(); } }
    }
    static class Nested {
        static Nested of() { return new Nested(); }
        void run() { helper(); }
        private void helper() {}
    }
    interface Cb { void call(); }
    void bump() { n++; }
    void log() {}
    void test() {
        Inner i = new Inner();
        i.hit();
        Inner.Deep d = i.new Deep();
        d.go();
        Nested.of().run();
        class Local implements Cb {
            public void call() { log(); }
        }
        Cb c = new Local();
        c.call();
        Cb anon = new Cb() {
            int count = 0;
            public void call() { more(); bump(); }
            private void more() { count++; }
        };
        anon.call();
    }
    public static void main(String[] args) { new Main().test(); }
}
