global using System.Linq;
using System;
using static System.Math;
using Rows = System.Collections.Generic.List<Shop.Row>;
using global::Shop.Base;

[assembly: Version("1.0")]

namespace Shop.Orders
{
    using Shop.Money;

    /// <summary>
    /// An order of a <see cref="Customer"/>.
    /// </summary>
    /// <typeparam name="T">what is ordered</typeparam>
    [Serializable, Table("orders")]
    public abstract partial class Order<T> : Entity<T>, IPriced, System.IDisposable where T : class, new()
    {
        /// <summary>How many there may be.</summary>
        public const int Limit = 100;
        private static readonly Rows rows = Load(), more; // trailing, not of the next

        protected internal T Current;
        int hidden = 1;
        public event EventHandler<Order<T>> Changed, Closed;

        static Order()
        {
            Register(typeof(Order<T>));
        }

        public Order(T first, in int count = 1, params string[] tags) : base(first)
        {
            Current = first;
        }

        protected Order() : this(Default()) => hidden = Count();

        ~Order() => Dispose(false);

        public abstract Amount Price();

        private protected static async Task<R> Each<R>(Func<T, R> f, ref int n, out string s) where R : struct
        {
            s = null;
            return await Run(f);
        }

        partial void Hook();

        [DllImport("x")]
        static extern int Fast(int a);

        void IDisposable.Dispose() { Dispose(true); }

        public class Line { public int Number; }

        private enum Step : byte { [Obsolete] First = 1, Second }
    }

    public interface IPriced : IComparable<IPriced>, IShown
    {
        Amount Price();
        int Count { get; }
        string Label => Format(Count);
        static abstract IPriced Zero();
        void Print() { Show(this); }
    }

    public readonly struct Amount : IPriced
    {
        public static Amount operator +(Amount a, Amount b) => a.Add(b);
        public static implicit operator decimal(Amount a) => a.Value();
        public static bool operator true(Amount a) { return a.Any(); }
    }

    public delegate R Maker<in T, out R>(T from, int n = 2);

    public record Point(int X, int Y = 0) : Shape(X), IShown
    {
        public int Sum => X + Y;
    }

    public record struct Pair<T>(T Left, T Right);

    record Empty;

    class Service(Store store, ILog log) : Worker(store)
    {
        private readonly Cache cache = store.Open();
        public void Run() => log.Write(cache.Read());
    }

    file class OnlyHere { }

    static class Extensions
    {
        public static string Shout(this string text, int times = 1) => text.ToUpper();
        public static T Pick<T>(this IEnumerable<T> all) { return all.First(); }
    }

    namespace Inner
    {
        internal class Deep { }
    }

#if DEBUG
    class Debugging { void Trace() { Write(); } }
#else
    class Release { }
#endif
}
