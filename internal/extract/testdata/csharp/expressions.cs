namespace Demo
{
    class Expressions
    {
        async Task<int> Calls(Service s, Func<int> f, object o)
        {
            Plain(1, 2L, 3.0, 4f, 5m, 'c', "text", @"c:\x", """raw""", true, null);
            Named(b: One(), a: 2);
            s.Run().Then<int>(x => x.Next()).Done();
            s?.Run()?.Then(1);
            s?.Child.Run();
            s?[0].Run();
            s!.Run();
            this.Calls(s, f, o);
            base.ToString();
            int.Parse("1");
            global::Demo.Tools.Fix();
            Generic<string>();
            List<int>.Empty.Clear();
            f();
            f.Invoke();
            Get()();
            handlers[0]();
            handlers["key"].Go();
            handlers[Next()].Go();
            (() => InPlace())();
            ((Func<int>)(() => Cast()))();
            new Service(1) { Name = Label(), Inner = { Depth = Depth() } }.Run();
            new Demo.Outer<int>.Inner();
            var anonymous = new { Id = MakeId(), s, s.Name };
            var tuple = (Left: A(), B());
            int[] list = new int[Size()];
            var filled = new[] { s, Other() };
            Service[] typed = new Service[2] { s, null };
            List<Service> collected = [s, .. More()];
            string text = $"n {Count()} {o:x} {s.Name,10}" + "tail";
            text += Extra();
            string made = "a" + Mid() + o;
            Type t = typeof(Service);
            string name = nameof(Service.Run);
            var none = default(Service);
            var same = s with { Name = Renamed() };
            var casted = (Service)o;
            var maybe = o as Service;
            var picked = Flag() ? s : Other();
            var first = s ?? Fallback();
            bool b = !Check() && o is Service or null;
            var minus = -Number();
            var range = list[Low()..^High()];
            var d = delegate (int z) { Inside(z); };
            var lambda = async (int q, Service r) => await r.Wait(q);
            var typedLambda = Service (int n) => new(n);
            Take(out var result, ref list, in o);
            await foreach (var item in Stream()) item.Use();
            await Task.Run(Background);
            throw o is null ? new Missing() : Failure();
        }

        unsafe void Pointers(Node* p)
        {
            p->Go();
            (*p).Go();
            fixed (byte* q = Bytes()) { Read(q); }
        }

        object Linq(List<Order> orders) =>
            from o in orders
            where o.Open()
            join c in Customers() on o.Id equals c.Id into matches
            let total = o.Sum()
            orderby total descending
            select new Row(o, total);
    }
}
