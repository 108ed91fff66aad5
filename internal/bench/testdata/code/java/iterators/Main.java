import java.util.*;
class Range implements Iterable<Item> {
    private final int n;
    Range(int n) { this.n = n; }
    @Override public Iterator<Item> iterator() { return new It(); }
    private class It implements Iterator<Item> {
        int i;
        @Override public boolean hasNext() { return i < limit(); }
        @Override public Item next() { return new Item(i++); }
    }
    int limit() { return n; }
}
class Item {
    Item(int i) {}
    void use() {}
}
public class Main {
    public static void main(String[] args) {
        for (Item it : new Range(3)) it.use();
        Iterator<Item> x = new Range(2).iterator();
        while (x.hasNext()) x.next().use();
    }
}
