using System;
using System.Collections.Generic;
interface IEntity { string Id(); }
class Order : IEntity
{
    public string Id() => "o";
    public void Ship() { }
}
class Repo<K, E> where E : class, IEntity, new()
{
    private readonly Dictionary<K, E> map = new Dictionary<K, E>();
    public void Save(K k, E e) { map[k] = e; e.Id(); }
    public E Load(K k) => map[k];
    public IEnumerable<E> All() => map.Values;
    public E Fresh() => new E();
}
class OrderRepo : Repo<string, Order>
{
    public Order Latest() => Load("last");
}
static class Factory
{
    public static T Create<T>() where T : new() => new T();
    public static T Touch<T>(T t) where T : IEntity { t.Id(); return t; }
}
class Program
{
    static void Main()
    {
        var repo = new OrderRepo();
        repo.Save("a", new Order());
        repo.Latest().Ship();
        repo.Load("a").Ship();
        foreach (var o in repo.All()) o.Ship();
        Factory.Create<Order>().Ship();
        Factory.Touch(new Order()).Ship();
        repo.Fresh().Ship();
    }
}
