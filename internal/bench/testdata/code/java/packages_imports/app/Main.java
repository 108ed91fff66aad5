package app;
import a.util.Strings;
import a.util.Strings.Deep;
import static a.util.Strings.*;
public class Main {
    static String low(String s) { return s; }
    public static void main(String[] args) {
        Strings.up(low("x"));
        b.util.Strings.up("y");
        Deep.make().act();
        up("z");
        new Sibling().go();
        java.util.List.of(1).size();
    }
}
