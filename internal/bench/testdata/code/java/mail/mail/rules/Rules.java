package mail.rules;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import mail.core.Message;
import mail.core.Message.Letter;
import mail.core.Message.Parcel;

public abstract class Rules {
    protected final Predicate<Message> filter;

    protected Rules(Predicate<Message> filter) { this.filter = filter; }

    public final List<String> run(Iterable<Message> bag, Message... more) {
        List<Message> list = new java.util.ArrayList<>(Arrays.asList(more));
        bag.forEach(list::add);
        return list.stream()
            .filter(this::accepts)
            .sorted(Comparator.comparing(Message::label))
            .map(m -> describe(m))
            .collect(Collectors.toList());
    }

    protected boolean accepts(Message m) { return filter.test(m); }

    protected abstract String describe(Message m);

    public static int cost(Message m) {
        return switch (m) {
            case Letter l -> perPage(l.pages());
            case Parcel(String to, Message.Size size) -> bySize(size);
        };
    }

    private static int perPage(int n) { return n; }

    private static int bySize(Message.Size size) { return size.mark().length(); }

    public static Function<Message, Integer> doubled() {
        Function<Message, Integer> base = Rules::cost;
        return base.andThen(c -> twice(c));
    }

    static int twice(int n) { return n * 2; }
}

class Loud extends Rules {
    Loud() { super(m -> m.to().length() > 1); }

    @Override
    protected String describe(Message m) { return shout(m.label()); }

    private String shout(String s) { return s.toUpperCase(); }
}

class Quiet extends Rules {
    private final Helper helper = new Helper();

    Quiet() { super(Quiet::any); }

    private static boolean any(Message m) { return true; }

    @Override
    protected boolean accepts(Message m) { return super.accepts(m) && helper.ok(); }

    @Override
    protected String describe(Message m) { return helper.soft(m); }

    private class Helper {
        boolean ok() { return true; }

        String soft(Message m) { return trim(m.label()); }
    }

    private String trim(String s) { return s.trim(); }
}
