package fn;

import java.util.HashMap;
import java.util.Map;

class Events {
    interface Listener {
        void on(String name);
    }

    private final Map<String, Listener> listeners = new HashMap<>();

    void add(String name, Listener l) {
        listeners.put(name, l);
    }

    void fire(String name) {
        listeners.get(name).on(name);
    }

    void setUp() {
        add("a", this::handle);
        add("b", new Listener() {
            @Override
            public void on(String name) {
                handle(name);
            }
        });
        Listener own = name -> handle(name);
        own.on("c");
        fire("a");
    }

    private void handle(String name) {}
}
