using System;
using System.Collections.Generic;

namespace Language;

public abstract record Solid
{
    public abstract int Volume();
}

public record Cube(int Side, Paint Paint) : Solid
{
    public Cube(int side) : this(side, Paint.Plain()) { }

    public override int Volume() => Side;
}

public record Ball(int Radius) : Solid
{
    public override int Volume() => Radius;
}

public record Paint(string Name)
{
    public static Paint Plain() => new("plain");

    public string Shown() => Name.Trim();
}

public class Geometry
{
    public int Measure(Solid s) => s switch
    {
        Cube c when c.Volume() > 3 => c.Volume(),
        Cube { Paint: var paint } => paint.Shown().Length,
        Ball b => Round(b),
        _ => throw new Problem(Reason()),
    };

    public string Test(object o)
    {
        if (o is Cube cube) return cube.Paint.Shown();
        if (o is not Ball ball) return null;
        ball.Volume();
        switch (o)
        {
            case Cube(var side, var p):
                return p.Shown();
            default:
                return Reason();
        }
    }

    private int Round(Ball b) => b.Volume();

    private string Reason() => "r";
}

public class Problem : Exception
{
    public Problem(string text) : base(text) { }

    public virtual void Explain() { }
}

public class Late : Problem
{
    public Late() : base("late") { }

    public override void Explain() => base.Explain();
}

public class Service(Store store, ILog log)
{
    private readonly Cache cache = store.Open();

    public void Run() => log.Write(cache.Read());
}

public interface ILog
{
    void Write(string text);
}

public class ConsoleLog : ILog
{
    public void Write(string text) { }
}

public class Store
{
    public Cache Open() => new Cache();
}

public class Cache
{
    private string text;

    public string Text
    {
        get { return text ?? Load(); }
        set { text = Check(value); }
    }

    public string this[int i] => Read();

    public string Read() => "c";

    private string Load() => "";

    private static string Check(string s) => s;
}

public class Box<T> where T : INamed
{
    private readonly T held;

    public Box(T held)
    {
        this.held = held;
    }

    public T Get() => held;

    public string Label() => held.Name();
}

public interface INamed
{
    string Name();
}

public class Dog : INamed
{
    public string Name() => "dog";

    public void Bark() { }
}

public class Usage
{
    private Problem problem = new Late();

    public void Generic()
    {
        var box = new Box<Dog>(new Dog());
        box.Get().Bark();
        box.Label();
        First(new List<Dog>()).Bark();
        Identity(new Dog()).Bark();
        new Service(new Store(), new ConsoleLog()).Run();
    }

    private static U First<U>(List<U> all) => all[0];

    private static U Identity<U>(U u) => u;

    public void Failing()
    {
        problem.Explain();
        try
        {
            Risky();
        }
        catch (Problem p) when (Filter(p))
        {
            p.Explain();
        }
        using var door = Door.Open();
        door.Knock();
        Outer.Inner.Make().Use();
        var (left, right) = Pair();
        left.Knock();
        right.Bark();
        door?.Knock();
        (door ?? Door.Open()).Knock();
    }

    private static (Door, Dog) Pair() => (new Door(), new Dog());

    private void Risky() => throw new Late();

    private bool Filter(Problem p) => true;
}

public class Outer
{
    private int count;

    public class Inner
    {
        private readonly Outer outer = new Outer();

        public static Inner Make() => new Inner();

        public void Use() => outer.Touch();
    }

    private void Touch() => count++;
}

public class Door : IDisposable
{
    public static Door Open() => new();

    public void Knock() { }

    public void Dispose() { }

    public static Door operator +(Door a, Door b)
    {
        a.Knock();
        return b;
    }
}
