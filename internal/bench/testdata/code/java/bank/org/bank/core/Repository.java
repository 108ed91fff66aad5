package org.bank.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

public class Repository<K, V> {
    private final Map<K, V> rows = new HashMap<>();
    private final List<Observer<V>> observers = new ArrayList<>();

    public interface Observer<V> {
        void changed(V value);
    }

    public Repository<K, V> save(K key, V value) {
        rows.put(key, value);
        for (Observer<V> o : observers) {
            o.changed(value);
        }
        return this;
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(rows.get(key));
    }

    public V require(K key) {
        return find(key).orElseThrow(() -> missing(key));
    }

    private RuntimeException missing(K key) {
        return new RuntimeException("no " + key);
    }

    public List<V> where(Predicate<V> test) {
        List<V> out = new ArrayList<>();
        for (V v : rows.values()) {
            if (test.test(v)) out.add(v);
        }
        return out;
    }

    public void observe(Observer<V> o) {
        observers.add(o);
    }
}
