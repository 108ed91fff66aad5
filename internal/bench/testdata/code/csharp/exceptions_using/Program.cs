using System;
class Res : IDisposable
{
    public Res() { Open(); }
    private void Open() { }
    public void Read() { throw new Bad("x"); }
    public void Dispose() { Release(); }
    private void Release() { }
}
class Bad : Exception
{
    public Bad(string m) : base(Fmt(m)) { }
    static string Fmt(string m) => m;
    public virtual int Code() => 1;
}
class Worse : Bad
{
    public Worse() : base("w") { }
    public override int Code() => base.Code() + 1;
}
class Program
{
    static void Handle(Bad b) { b.Code(); }
    static bool When(Exception e) => true;
    static void Done() { }
    static void Main()
    {
        try
        {
            using (var r = new Res()) { r.Read(); }
            throw new Worse();
        }
        catch (Bad e) when (When(e)) { Handle(e); }
        catch (Exception) { throw; }
        finally { Done(); }
    }
}
