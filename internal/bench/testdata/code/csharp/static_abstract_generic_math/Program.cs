using System;
using System.Collections.Generic;
interface IShape<TSelf> where TSelf : IShape<TSelf>
{
    static abstract TSelf Create();
    void Draw();
}
class Sq : IShape<Sq> { public static Sq Create() => new Sq(); public void Draw() { } }
abstract class Entity<T> where T : Entity<T>
{
    public T Tag(string s) { Log(s); return (T)this; }
    protected void Log(string s) { }
}
class Person : Entity<Person> { public Person Name(string n) => this; }
class Singleton<T> where T : class, new()
{
    private static T inst;
    public static T Instance => inst ?? (inst = new T());
}
class Manager { public void Do() { } }
class Cmp : IComparer<Sq> { public int Compare(Sq a, Sq b) => Weigh(a); int Weigh(Sq s) => 1; }
class Program
{
    static void Render<T>() where T : IShape<T> { T.Create().Draw(); }
    static void Main()
    {
        Render<Sq>();
        new Person().Tag("a").Name("b").Tag("c");
        Singleton<Manager>.Instance.Do();
        IComparer<Sq> cmp = new Cmp();
        cmp.Compare(Sq.Create(), Sq.Create());
        var list = new List<Sq>();
        list.Sort(new Cmp());
        Comparison<Sq> how = (a, b) => cmp.Compare(a, b);
        list.Sort(how);
    }
}
