using System.Collections;
using System.Collections.Generic;
class Item { public void Use() { } }
class Bag : IEnumerable<Item>
{
    private readonly List<Item> items = new();
    public void Add(Item i) { items.Add(i); }
    public IEnumerator<Item> GetEnumerator() { foreach (var i in items) yield return Pick(i); }
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    Item Pick(Item i) => i;
}
class Cursor
{
    public bool MoveNext() => Step();
    bool Step() => false;
    public Item Current => new Item();
}
class Track { public Cursor GetEnumerator() => new Cursor(); }
class Program
{
    static IEnumerable<Item> Gen(int n) { while (n-- > 0) yield return Create(); }
    static Item Create() => new Item();
    static void Main()
    {
        var bag = new Bag { new Item() };
        foreach (var i in bag) i.Use();
        foreach (Item i in Gen(3)) i.Use();
        foreach (var t in new Track()) t.Use();
    }
}
