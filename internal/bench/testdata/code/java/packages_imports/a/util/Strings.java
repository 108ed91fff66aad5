package a.util;
public class Strings {
    public static String up(String s) { return pad(s.toUpperCase()); }
    static String pad(String s) { return s; }
    public static final class Deep { public static Deep make() { return new Deep(); } public void act() {} }
}
