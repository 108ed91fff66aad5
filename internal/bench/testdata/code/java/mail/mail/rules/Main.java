package mail.rules;

import java.util.concurrent.CompletableFuture;
import mail.core.Events;
import mail.core.Message;
import mail.core.Message.Bag;
import mail.core.Message.Letter;
import mail.core.Message.Parcel;
import mail.core.Message.Size;

public class Main {
    private final Events events = new Events();
    private final Events.Registry<String, Rules> rules = new Events.Registry<String, Rules>()
        .put("loud", Loud::new)
        .put("quiet", () -> new Quiet());

    Main() {
        events.on(Letter.class, this::onLetter)
            .on(Parcel.class, p -> log(p.label()))
            .whenIdle(new Runnable() {
                @Override
                public void run() { log("idle"); }
            })
            .whenIdle(Main::tick);
    }

    private void onLetter(Letter l) { log(l.to()); }

    private void log(String s) { System.out.println(s); }

    private static void tick() { }

    void start(String kind) {
        Bag bag = Bag.builder().with(new Letter("Ann")).with(new Parcel("Bob", Size.LARGE)).build();
        Rules chosen = rules.make(kind).orElseThrow(() -> fail(kind));
        for (String line : chosen.run(bag, new Letter("Cy", 2))) log(line);
        for (Message m : bag) events.emit(m);
        events.drain();
        CompletableFuture.supplyAsync(() -> load(kind)).thenAccept(t -> t.label()).join();
        Rules.doubled().apply(new Letter("Di"));
    }

    private Letter load(String kind) { return new Letter(kind); }

    private RuntimeException fail(String kind) { return new IllegalStateException(kind); }

    public static void main(String[] args) { new Main().start(args[0]); }
}
