class Req {
    private final String url;
    private Req(Builder b) { url = b.url; validate(); }
    private void validate() {}
    Resp send() { return new Resp(); }
    static Builder to(String url) { return new Builder(url); }
    static abstract class Base<T extends Base<T>> {
        abstract T self();
        T header(String h) { log(h); return self(); }
        void log(String h) {}
    }
    static class Builder extends Base<Builder> {
        final String url;
        Builder(String url) { this.url = url; }
        @Override Builder self() { return this; }
        Builder body(String b) { return this; }
        Req build() { return new Req(this); }
    }
}
class Resp { Resp ok() { return this; } int code() { return 200; } }
public class Main {
    public static void main(String[] args) {
        int c = Req.to("u").header("h").body("b").header("i").build().send().ok().code();
    }
}
