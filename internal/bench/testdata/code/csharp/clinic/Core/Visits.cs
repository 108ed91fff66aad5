using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Clinic.Core;

public enum Urgency { Low, High }

public abstract record Visit(string Patient)
{
    public abstract Money Fee();

    public virtual string Describe() => Patient.Quote();
}

public record Checkup(string Patient, int Minutes) : Visit(Patient)
{
    public override Money Fee() => new Money(Minutes * 2);
}

public record Surgery(string Patient, Urgency Urgency) : Visit(Patient)
{
    public override Money Fee() => Base().Rounded();

    public override string Describe() => base.Describe() + Suffix;

    private Money Base() => Urgency == Urgency.High ? new Money(900) : new Money(700);

    private string Suffix => Mark();

    private string Mark() => "!";
}

public static class VisitExtensions
{
    public static string Quote(this string text) => "'" + text + "'";

    public static Money Total(this IEnumerable<Visit> visits) =>
        visits.Select(v => v.Fee()).Aggregate(Money.Zero, (a, b) => a + b);

    public static bool Is(this Visit visit, Func<Visit, bool> test) => test(visit);
}

public interface IRepository<T>
{
    void Save(T item);
    IEnumerable<T> All();
}

public partial class VisitRepository : IRepository<Visit>
{
    private readonly List<Visit> _visits = new();

    public void Save(Visit item)
    {
        Check(item);
        _visits.Add(item);
    }

    public IEnumerable<Visit> All()
    {
        foreach (var v in _visits) yield return v;
    }
}

public partial class VisitRepository
{
    private static void Check(Visit visit)
    {
        if (visit is Surgery { Urgency: Urgency.High } s) Warn(s.Describe());
    }

    static partial void Warn(string text);

    static partial void Warn(string text) => Console.WriteLine(text);
}
