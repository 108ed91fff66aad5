import java.util.*;
interface Entity { String id(); }
class Order implements Entity {
    public String id() { return "o"; }
    void ship() {}
}
class Repo<K, E extends Entity> {
    private final Map<K, E> byKey = new HashMap<>();
    void save(K k, E e) { byKey.put(k, e); e.id(); }
    E load(K k) { return byKey.get(k); }
    Optional<E> find(K k) { return Optional.ofNullable(byKey.get(k)); }
    List<E> all() { return new ArrayList<>(byKey.values()); }
}
class OrderRepo extends Repo<String, Order> {
    Order latest() { return load("last"); }
}
public class Main {
    static <T extends Comparable<T>> T max(T a, T b) { return a.compareTo(b) > 0 ? a : b; }
    static <E extends Entity> E touch(E e) { e.id(); return e; }
    public static void main(String[] args) {
        OrderRepo repo = new OrderRepo();
        repo.save("a", new Order());
        repo.latest().ship();
        repo.load("a").ship();
        repo.find("a").ifPresent(o -> o.ship());
        for (Order o : repo.all()) o.id();
        touch(new Order()).ship();
        repo.find("b").map(Order::id).orElse("");
        max("a", "b");
    }
}
