struct Vec
{
    public int X;
    public Vec(int x) { X = x; }
    public static Vec operator +(Vec a, Vec b) => Combine(a, b);
    public static Vec operator -(Vec a) => new Vec(-a.X);
    public static bool operator ==(Vec a, Vec b) => a.Same(b);
    public static bool operator !=(Vec a, Vec b) => !(a == b);
    public static Vec operator *(Vec a, int k) => new Vec(a.X * k);
    public static Vec operator ++(Vec a) => Combine(a, a);
    public static implicit operator int(Vec v) => v.Len();
    public static explicit operator Vec(int n) => new Vec(n);
    static Vec Combine(Vec a, Vec b) => a;
    public bool Same(Vec o) => X == o.X;
    public int Len() => X;
}
class Program
{
    static void Main()
    {
        var a = new Vec(1);
        var b = new Vec(2);
        var c = a + b;
        c += a;
        (a + b * 2).Len();
        if (a == b) { }
        if (a != b) { }
        var d = -a;
        d++;
        Vec e = (Vec)5;
    }
}
