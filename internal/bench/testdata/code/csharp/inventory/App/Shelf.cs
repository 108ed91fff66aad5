using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Inventory.Core;

namespace Inventory.App;

public interface IWatcher<in T>
{
    void Changed(T item);
}

public class Shelf<TKey, TItem> where TItem : Part
{
    private readonly Dictionary<TKey, TItem> rows = new Dictionary<TKey, TItem>();
    private readonly List<IWatcher<TItem>> watchers = new List<IWatcher<TItem>>();
    public event Action<TItem> Stored;

    public Shelf<TKey, TItem> Put(TKey key, TItem item)
    {
        rows[key] = item;
        foreach (var w in watchers) w.Changed(item);
        Stored?.Invoke(item);
        return this;
    }

    public TItem Take(TKey key) => rows.TryGetValue(key, out var item) ? item : Missing(key);

    private TItem Missing(TKey key) => throw new KeyNotFoundException(key.ToString());

    public List<TItem> Where(Predicate<TItem> test)
    {
        var found = new List<TItem>();
        foreach (TItem item in rows.Values)
        {
            if (test(item)) found.Add(item);
        }
        return found;
    }

    public void Watch(IWatcher<TItem> w) => watchers.Add(w);

    public string First() => rows.Values.First().Label();
}

public class Depot : IWatcher<Part>
{
    private readonly Shelf<string, Part> shelf = new();
    private readonly IVisitor[] visitors = { new Printer(), new Counter() };
    private readonly Lazy<Clerk> clerk = new Lazy<Clerk>(() => new Clerk());
    private int count;

    public Depot()
    {
        shelf.Watch(this);
        shelf.Stored += Audit;
    }

    public Part Open(string name)
    {
        Part part = Parts.Make("gear", name);
        shelf.Put(name, part).Put(name + "2", Parts.Make(name));
        return part;
    }

    public void Changed(Part item)
    {
        count++;
        item.Trail.Size();
    }

    private void Audit(Part part)
    {
        foreach (var entry in part.Trail) entry.Show();
    }

    public void Supply(string name, int n)
    {
        shelf.Take(name).Supply(n);
        clerk.Value.Greet();
        if (shelf.Take(name).IsGood()) Report();
    }

    public List<Part> Good() => shelf.Where(p => Check(p));

    private static bool Check(Part p) => p.Trail.Last().Show() == "";

    public IEnumerable<Part> Better() => Good().Every(p => p.Rate() == Grade.High);

    public void Visit()
    {
        foreach (var v in visitors) v.Visit(this);
        visitors[0].Visit(this);
        IVisitor.All(visitors);
    }

    public int Retry(int times)
    {
        try
        {
            Supply("a", times);
            return times;
        }
        catch (BadCount e)
        {
            e.Explain();
            return times > 0 ? Retry(times - 1) : Fail();
        }
    }

    private int Fail() => -1;

    private void Report() { }

    public int Count() => count;

    public async Task<Clerk> Hire()
    {
        var clerk = await Clerk.FindAsync();
        clerk.Greet();
        return clerk;
    }

    public async Task Meet() => (await Hire()).Greet();
}

public class Clerk
{
    public static Task<Clerk> FindAsync() => Task.FromResult(new Clerk());

    public void Greet() { }
}

public interface IVisitor
{
    void Visit(Depot depot);

    static void All(params IVisitor[] all)
    {
        foreach (var v in all) v.Visit(null);
    }
}

public class Printer : IVisitor
{
    public void Visit(Depot depot) => Print(depot.Count());

    private void Print(object o) { }

    private void Print(int n) { }
}

public class Counter : IVisitor
{
    public static int Seen;

    public void Visit(Depot depot)
    {
        Seen += depot.Good().Count;
        foreach (var p in depot.Good()) p.Label();
        depot.Good().ForEach(p => p.Label());
        var labels = depot.Good().Select(p => p.Trail).Select(t => t.Size());
    }
}
