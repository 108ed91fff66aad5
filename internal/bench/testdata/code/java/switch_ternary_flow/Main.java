import java.util.function.*;
class In { String next() { return ""; } }
class Csv extends In { @Override String next() { return cell(); } String cell() { return ""; } }
class Json extends In { @Override String next() { return tok(); } String tok() { return ""; } }
public class Main {
    static In open(String kind) {
        return switch (kind) {
            case "csv" -> new Csv();
            case "json" -> { note(); yield new Json(); }
            default -> throw new IllegalArgumentException(msg(kind));
        };
    }
    static void note() {}
    static String msg(String k) { return k; }
    static IntUnaryOperator op(char c) {
        switch (c) {
            case '+': return Main::inc;
            case '-': return n -> dec(n);
            default: return null;
        }
    }
    static int inc(int n) { return n + 1; }
    static int dec(int n) { return n - 1; }
    public static void main(String[] args) {
        In in = open("csv");
        String s = in.next();
        do { s = in.next(); } while (s != null && inc(1) > dec(2));
        op('+').applyAsInt(3);
        assert inc(2) == 3 : msg("bad");
        int[] a = { inc(0), dec(0) };
    }
}
