using System;
using System.Collections;
using System.Collections.Generic;

namespace Inventory.Core
{
    public enum Grade { Low, High }

    public abstract class Part : IComparable<Part>
    {
        private static int next;
        protected int stock;
        private readonly Trail trail;

        protected Part(string name)
        {
            Name = name ?? throw new ArgumentNullException(nameof(name));
            trail = new Trail(this);
            next = Bump(next);
        }

        public string Name { get; }

        public Trail Trail => trail;

        private static int Bump(int n) => n + 1;

        public void Supply(int n)
        {
            Validate(n);
            Apply(n);
            trail.Record("supply", n);
        }

        protected virtual void Validate(int n)
        {
            if (n < 0) throw new BadCount(n);
        }

        protected abstract void Apply(int n);

        public virtual Grade Rate() => Grade.Low;

        public int CompareTo(Part other) => string.Compare(Label(), other.Label());

        public string Label() => Name;
    }

    public class BadCount : Exception
    {
        public BadCount(int n) : base(Describe(n)) { }

        private static string Describe(int n) => "bad " + n;

        public string Explain() => Message;
    }

    public class Trail : IEnumerable<Trail.Entry>
    {
        private readonly Part part;
        private readonly List<Entry> entries = new();

        internal Trail(Part part) => this.part = part;

        internal void Record(string what, int n)
        {
            entries.Add(new Entry(what, n));
            Trim();
        }

        private void Trim()
        {
            while (Size() > 10) entries.RemoveAt(0);
        }

        public int Size() => entries.Count;

        public Entry Last() => entries[entries.Count - 1];

        public IEnumerator<Entry> GetEnumerator()
        {
            foreach (var e in entries) yield return e;
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        public sealed class Entry
        {
            private readonly string what;
            private readonly int n;

            public Entry(string what, int n) => (this.what, this.n) = (what, n);

            public string Show() => what + Format(n);
        }

        private static string Format(int n) => n.ToString();
    }

    public static class Parts
    {
        public static Part Make(string kind, string name) => kind switch
        {
            "bolt" => new Bolt(name),
            "gear" => new Gear(name, 3),
            _ => throw new NotSupportedException(kind),
        };

        public static Part Make(string name) => Make("bolt", name);

        public static bool IsGood(this Part part) => part.Rate() == Grade.High;

        public static IEnumerable<T> Every<T>(this IEnumerable<T> all, Func<T, bool> test)
        {
            foreach (var one in all)
                if (test(one)) yield return one;
        }
    }

    internal class Bolt : Part
    {
        public Bolt(string name) : base(name) { }

        protected override void Apply(int n) => stock += n;

        protected override void Validate(int n)
        {
            base.Validate(n);
            Limit();
        }

        private void Limit() { }
    }

    internal class Gear : Part
    {
        private readonly int teeth;

        public Gear(string name, int teeth) : base(name) => this.teeth = teeth;

        protected override void Apply(int n) => stock += Sets(n);

        private int Sets(int n) => n / teeth;

        public override Grade Rate() => Grade.High;
    }
}
