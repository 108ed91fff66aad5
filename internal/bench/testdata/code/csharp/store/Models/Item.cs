namespace Store.Models
{
    public class Item
    {
        private readonly int price;

        public Item(string label) : this(label, 0) { }

        public Item(string label, int price)
        {
            Label = label;
            this.price = Check(price);
        }

        public string Label { get; }

        public virtual int Price() => price;

        public int Total(int n) => n * Price();

        public int Total(double share) => (int)(share * Price());

        private static int Check(int n) => n;
    }

    internal class Book : Item
    {
        public Book(string title) : base(title, 10)
        {
            Prepare();
        }

        private void Prepare() => Label.Clean();

        public override int Price() => base.Price() + Extra();

        protected virtual int Extra() => 1;
    }

    internal sealed class Rare : Book
    {
        public Rare() : base("rare") { }

        protected override int Extra() => 100;
    }
}
