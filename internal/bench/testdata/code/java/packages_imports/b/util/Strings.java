package b.util;
public class Strings {
    public static String up(String s) { return s; }
}
