using System;
delegate int Op(int a, int b);
class Clock
{
    public event Action<int> Tick;
    public event EventHandler<string> Alarm;
    private Action<int> custom;
    public event Action<int> Custom
    {
        add { custom += value; }
        remove { custom -= value; }
    }
    public void Run() { Tick?.Invoke(1); OnAlarm("x"); custom(2); }
    protected virtual void OnAlarm(string s) => Alarm?.Invoke(this, s);
}
class Program
{
    static int Add(int a, int b) => a + b;
    static int Sub(int a, int b) => a - b;
    static void Ticked(int n) { }
    void Rang(object s, string e) { }
    void Wire()
    {
        var c = new Clock();
        c.Tick += Ticked;
        c.Tick += n => Add(n, n);
        c.Tick += delegate (int n) { Sub(n, 1); };
        c.Alarm += Rang;
        c.Custom += Ticked;
        c.Run();
    }
    static void Main()
    {
        Op op = Add;
        op += Sub;
        op(1, 2);
        Op made = new Op(Sub);
        made.Invoke(3, 4);
        new Program().Wire();
    }
}
