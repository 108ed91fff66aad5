package mail.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

public class Events {
    private final Map<Class<?>, List<Consumer<Object>>> listeners = new HashMap<>();
    private final List<Runnable> idle = new ArrayList<>();

    public <E> Events on(Class<E> type, Consumer<? super E> listener) {
        listeners.computeIfAbsent(type, k -> new ArrayList<>()).add(e -> listener.accept(type.cast(e)));
        return this;
    }

    public Events whenIdle(Runnable task) {
        idle.add(task);
        return this;
    }

    public void emit(Object event) {
        List<Consumer<Object>> found = listeners.getOrDefault(event.getClass(), List.of());
        for (Consumer<Object> c : found) c.accept(event);
        if (found.isEmpty()) idle.forEach(Runnable::run);
    }

    public void drain() {
        for (Runnable r : idle) r.run();
    }

    public static final class Registry<K, V> {
        private final Map<K, Supplier<? extends V>> makers = new LinkedHashMap<>();

        public Registry<K, V> put(K key, Supplier<? extends V> maker) {
            makers.put(key, maker);
            return this;
        }

        public Optional<V> make(K key) {
            return Optional.ofNullable(makers.get(key)).map(Supplier::get);
        }
    }
}
