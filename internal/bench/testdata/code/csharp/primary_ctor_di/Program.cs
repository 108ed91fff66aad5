using System;
interface ILog { void Write(string s); }
class FileLog : ILog { public void Write(string s) { Flush(); } void Flush() { } }
class NullLog : ILog { public void Write(string s) { } }
class Service(ILog log, Func<int> next)
{
    private readonly ILog inner = log;
    public int Run() { log.Write("a"); inner.Write("b"); return next(); }
}
class Derived(ILog log) : Service(log, Default)
{
    static int Default() => 1;
    public void More() => base.Run();
}
class Container
{
    private ILog log;
    public Container Use<T>() where T : ILog, new() { log = new T(); return this; }
    public Service Build() => new Service(log, () => Count());
    int Count() => 2;
}
class Program
{
    static void Main()
    {
        new Container().Use<FileLog>().Build().Run();
        var d = new Derived(new NullLog());
        d.More();
        d.Run();
    }
}
