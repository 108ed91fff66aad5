namespace Store.Common;

public static class Text
{
    public static string Clean(this string s) => Clean(s, true);

    public static string Clean(this string s, bool lower) => lower ? s.Trim().ToLower() : s.Trim();

    public static T Second<T>(this List<T> all) => all[1];

    public static int Twice(int n) => Add(n, n);

    private static int Add(int a, int b) => a + b;
}

public class Log
{
    public static readonly Log Shared = new("shared");
    private readonly string name;

    public Log(string name)
    {
        this.name = name.Clean();
    }

    public Log Info(string text)
    {
        Write("info", text);
        return this;
    }

    public Log Warn(string text, params object[] rest)
    {
        Write("warn", text);
        return this;
    }

    private void Write(string level, string text) => Console.WriteLine(level + name + text);
}
