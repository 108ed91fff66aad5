using System;
abstract record Expr;
record Num(int Value) : Expr { public int Twice() => Value * 2; }
record Add(Expr Left, Expr Right) : Expr
{
    public Add Swap() => this with { Left = Right, Right = Left };
}
record Neg(Expr Inner) : Expr
{
    public static Neg Of(int n) => new(new Num(n));
    public void Deconstruct(out Expr inner, out bool deep) { inner = Inner; deep = IsDeep(); }
    bool IsDeep() => false;
}
class Program
{
    static int Eval(Expr e) => e switch
    {
        Num n when Ok(n) => n.Twice(),
        Num { Value: > 3 } big => Limit(big),
        Add(var l, Num r) => Eval(l) + r.Twice(),
        Add { Left: Neg neg } add => Eval(add.Swap()),
        Neg(var i, _) => -Eval(i),
        null or _ => Fail(),
    };
    static bool Ok(Num n) => true;
    static int Limit(Num n) => n.Value;
    static int Fail() => throw new InvalidOperationException(Text());
    static string Text() => "";
    static void Main()
    {
        Eval(new Add(new Num(1), Neg.Of(2)));
        object o = new Num(3);
        if (o is Num { Value: 3 } m && m.Twice() > 1) Ok(m);
        switch (o)
        {
            case Num n when n.Twice() > 2: Limit(n); break;
            case string s: Text(); break;
        }
    }
}
