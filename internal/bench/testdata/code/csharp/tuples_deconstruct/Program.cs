using System;
using System.Collections.Generic;
class A { public void Run() { } }
class B { public void Run() { } public void Deconstruct(out A a, out int n) { a = Make(); n = 1; } A Make() => new A(); }
class Program
{
    static (A first, B second) Pair() => (new A(), new B());
    static A Pick((A, B) p) { p.Item1.Run(); return p.Item1; }
    static void Main()
    {
        var (a, b) = Pair();
        a.Run();
        b.Run();
        (A x, int n) = b;
        x.Run();
        Pair().second.Run();
        Pick((a, b)).Run();
        var list = new List<(string name, A val)> { ("k", new A()) };
        foreach (var (name, val) in list) val.Run();
        foreach (var t in list) t.val.Run();
        (a, b) = (new A(), new B());
        var dict = new Dictionary<string, B>();
        foreach (var (k, v) in dict) v.Run();
    }
}
