using System;
using System.Collections.Generic;
using System.Linq;

namespace Clinic.Core;

public interface IModule
{
    void Configure(Container container);
}

public sealed class Container
{
    private readonly Dictionary<Type, Func<Container, object>> _makers = new();
    private readonly List<IModule> _modules = new();

    public Container Register<T>(Func<Container, T> maker) where T : class
    {
        _makers[typeof(T)] = c => maker(c);
        return this;
    }

    public Container Add(IModule module)
    {
        _modules.Add(module);
        return this;
    }

    public void Build()
    {
        foreach (var module in _modules) module.Configure(this);
    }

    public T Resolve<T>() where T : class => (T)_makers[typeof(T)](this);
}

public sealed class EventBus
{
    private readonly Dictionary<Type, List<Action<object>>> _subscribers = new();

    public event Action<string>? Traced;

    public void Subscribe<TEvent>(Action<TEvent> handler)
    {
        if (!_subscribers.TryGetValue(typeof(TEvent), out var list))
        {
            list = new List<Action<object>>();
            _subscribers[typeof(TEvent)] = list;
        }
        list.Add(e => handler((TEvent)e));
    }

    public void Publish<TEvent>(TEvent e)
    {
        Trace(typeof(TEvent).Name);
        foreach (var handler in _subscribers[typeof(TEvent)]) handler(e!);
    }

    private void Trace(string line) => Traced?.Invoke(line);
}

public readonly struct Money
{
    public Money(decimal amount) => Amount = amount;

    public decimal Amount { get; }

    public static Money operator +(Money a, Money b) => new Money(a.Amount + b.Amount);

    public Money Rounded() => new(Math.Round(Amount, 2));

    public static Money Zero => new Money(0);
}
