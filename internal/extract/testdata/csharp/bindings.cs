class Bindings
{
    void Locals(Widget given)
    {
        int a = 1, b;
        var made = new Widget();
        Widget later = null;
        Widget fresh = new(1);
        later = made;
        if (a > 0)
        {
            later = new SmallWidget();
            var hidden = later;
        }
        given = Other();
        var (left, (middle, right)) = Pair();
        (int x, var y) = Pair();
        (later, _) = Pair();
        ref var slot = ref Slot();
        using var file = Open();
        const string fixedText = "t";
        Widget Chained = later = Deep();
    }

    void Loops(Dictionary<string, Widget> all)
    {
        for (int i = 0, j = Start(); i < j; i++, Advance()) { var k = i; }
        foreach (var pair in all) pair.Value.Draw();
        foreach (var (key, value) in all) value.Draw();
        foreach (Widget w in Widgets()) { w.Draw(); }
        while (More()) Step();
        do { Step(); } while (Again());
    }

    void Failures()
    {
        try { Risky(); }
        catch (IOException e) when (e.Fatal()) { Report(e); }
        catch (Exception) { throw; }
        finally { Done(); }
        using (var r = Open()) { r.Read(); }
        lock (Gate()) { Enter(); }
        checked { Add(); }
    }

    string Patterns(object o)
    {
        if (o is Widget w && w.Ready()) return w.Name();
        if (o is not string s) return null;
        if (o is Pair { Left: Widget l, Right: { } r } p) p.Join(l, r);
        if (o is (Widget a, var b)) a.Join(b);
        if (o is [var first, .., Widget last]) first.Join(last);
        if (o is Point(var px, int py) and var all) px.Use(all);
        switch (o)
        {
            case Circle c when c.Radius() > Limit():
                c.Draw();
                break;
            case 1:
            case Square { Side: var side }:
                side.Use();
                break;
            default:
                Nothing();
                break;
        }
        return o switch
        {
            Widget v => v.Name(),
            Pair(var m, _) when m.Ok() => m.Text(),
            { } any => any.ToString(),
            _ => throw new Unknown(),
        };
    }

    Action Lambdas(Widget outer)
    {
        Action<Widget> act = w => { var inner = w; inner.Draw(); outer.Draw(); };
        act += Extra;
        return () => act(outer);
    }
}
