namespace Shop;

using System;

class Base
{
    public virtual void Hook() { }
}

class Members : Base
{
    private Service service = new(Config());
    private IShape shape;
    private int[] data = { One(), Two() };
    private readonly Dictionary<string, Func<int>> table = new() { ["a"] = One, { "b", () => Two() } };
    private Action later;

    public int Auto { get; set; } = Start();
    public int Short => Compute();
    public required string Name { get; init; }

    public int Full
    {
        get { return Read(); }
        private set { Write(value); }
    }

    public static Service Shared { get => cached ??= new Service(); }

    public int this[int i, string key]
    {
        get => Find(i, key);
        set => Store(i, value);
    }

    public string this[string key] => key.Trim();

    public event Action Done
    {
        add { later += value; }
        remove => later -= value;
    }

    private static Service cached;

    public event EventHandler Changed;

    public Members(IShape shape)
    {
        this.shape = shape;
        Changed += OnChanged;
        Changed += (s, e) => Log(e);
        this.later = Hook;
        service = new(2);
    }

    public Members() : this(new Circle()) { }

    void OnChanged(object sender, EventArgs e)
    {
        Changed?.Invoke(this, e);
        later();
        base.Hook();
    }

    public override void Hook()
    {
        int Local(int n) => n > 0 ? Local(n - 1) : Stop();
        static void Other<T>(T t) { Use(t); }
        Local(3);
        Other<int>(4);
    }

    IEnumerable<Item> Items()
    {
        yield return First();
        yield return new Item();
        yield break;
    }

    Service Make() { return new(3); }

    Service Arrow() => new(4);
}

partial class Part
{
    void Left() => Right();
}

partial class Part
{
    void Right() { }
}
