package util;

public class Log {
    public static final Log SHARED = new Log("shared");

    private final String name;
    private int size;

    public Log(String name) {
        this.name = Text.trim(name);
    }

    public Log info(String text) {
        size++;
        write("info", text);
        return this;
    }

    public Log warn(String text, Object... rest) {
        write("warn", text);
        return this;
    }

    private void write(String level, String text) {
        System.out.println(level + name + text);
    }

    public int size() {
        return size;
    }

    public static Log of(Class<?> type) {
        return new Log(type.getName());
    }
}
