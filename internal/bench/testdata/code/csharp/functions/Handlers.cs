using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Functions
{
    public delegate int Measure(Shape shape);

    public abstract class Shape
    {
        public abstract double Area();

        public virtual string Name() => "shape";
    }

    public class Circle : Shape
    {
        public override double Area() => 3;
    }

    public class Square : Shape
    {
        private readonly Side side = new Side();

        public override double Area() => side.Length();

        public override string Name() => "square";

        public Side Side() => side;
    }

    public class Side
    {
        public double Length() => 1;
    }

    public class Button
    {
        public event EventHandler Clicked;
        public event Action<string> Typed;

        public void Click()
        {
            Clicked?.Invoke(this, EventArgs.Empty);
            Typed("x");
        }

        public Button()
        {
            Clicked += OnClick;
            Typed += text => Log(text);
        }

        private void OnClick(object sender, EventArgs e) { }

        private void Log(string text) { }
    }

    public class Handlers
    {
        private readonly Func<Square> make = () => new Square();
        private Action last;
        private readonly Dictionary<string, Action> table;

        public Handlers()
        {
            last = Report;
            table = new Dictionary<string, Action> { ["a"] = Report, ["b"] = Reset };
        }

        public void Direct()
        {
            Action task = () => Report();
            task();
            Func<Square, Side> side = s => s.Side();
            side(new Square()).Length();
            Measure m = CountOf;
            m(new Circle());
            m.Invoke(new Circle());
        }

        public void Passed()
        {
            Apply(Report);
            Apply(() => Audit(1));
            Apply(Reset);
            Each(new List<Square>(), square => square.Side());
        }

        private void Apply(Action a) => a();

        private void Each<T>(List<T> all, Action<T> what)
        {
            foreach (var t in all) what(t);
        }

        public void Queries(List<Square> squares, IEnumerable<Shape> shapes)
        {
            squares.Select(s => s.Side()).ToList().ForEach(side => side.Length());
            shapes.Where(s => s.Area() > 1).First().Name();
            var names = from s in squares where s.Area() > 2 select s.Name();
            squares.ForEach(Show);
        }

        private void Show(Square s) => s.Name();

        public void Stored()
        {
            make().Side();
            last();
            table["a"]();
        }

        public Func<Side> Returned() => () => Fallback();

        public void UseReturned() => Returned()().Length();

        public void Locals()
        {
            int Twice(int n) => Add(n, n);
            static int Add(int a, int b) => a + b;
            Twice(3);
        }

        public async Task<Side> Later()
        {
            await Task.Run(() => Audit(2));
            var side = await Find();
            side.Length();
            return side;
        }

        private async Task<Side> Find() => Fallback();

        private int CountOf(Shape s) => s.Name().Length;

        private Side Fallback() => new Side();

        private void Report() { }

        private void Audit(int level) { }

        private static void Reset() { }
    }
}
