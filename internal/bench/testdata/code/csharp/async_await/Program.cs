using System;
using System.Collections.Generic;
using System.Threading.Tasks;
class Client
{
    public async Task<Page> Get(string url) { await Wait(); return new Page(); }
    private Task Wait() => Task.Delay(1);
    public async IAsyncEnumerable<Page> Pages() { yield return await Get("a"); }
    public ValueTask<Page> Fast() => new ValueTask<Page>(new Page());
}
class Page { public int Size() => 1; public Task Save() => Task.CompletedTask; }
class Program
{
    static int Work() => 1;
    static async Task Main()
    {
        var c = new Client();
        var page = await c.Get("u");
        page.Size();
        (await c.Get("v")).Size();
        await foreach (var p in c.Pages()) await p.Save();
        var both = await Task.WhenAll(c.Get("a"), c.Get("b"));
        both[0].Size();
        c.Fast().Result.Size();
        await Task.Run(Work);
        await Task.Run(async () => await page.Save());
        await c.Get("w").ContinueWith(t => t.Result.Size());
        (await c.Fast().ConfigureAwait(false)).Save().Wait();
    }
}
