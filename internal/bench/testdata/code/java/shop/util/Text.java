package util;

public final class Text {
    private Text() {}

    public static String trim(String s) {
        return clean(s, false);
    }

    public static String clean(String s) {
        return clean(s, true);
    }

    public static String clean(String s, boolean lower) {
        return lower ? s.strip().toLowerCase() : s.strip();
    }

    public static int clean(int n) {
        return Math.abs(n);
    }
}
