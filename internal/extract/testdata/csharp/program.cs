using Shop;

var app = Build(args);
app.Run();
if (app.Failed) { Report(app); }
return Code();

static App Build(string[] from)
{
    return new App(from);
}

int Code() => 0;

partial class Program
{
    static void Report(App app) { app.Log(); }
}
