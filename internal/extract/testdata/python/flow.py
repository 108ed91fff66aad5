"""What values are made of and where they go."""
d = {"a": f, 'b': g, **more, key(): h, 1: one, "1": other}
d["c"] = f
d["x"]["y"] = g
d[name()] = h
d["a"]()
d[1](2)
l = [f, g, *more]
l[0] = h
l[-1]()
l[1:2][0]()
l += [f]
t = f, (g, h)
a, (b, c) = t
a, b = b, a
x, *mid, z = f, g, h, d
x, *mid, z = t
[p, q] = l
u = v = f
for i, (j, k) in enumerate(l):
    i(j, k)
else:
    f()
while (n := g()):
    n()
called = [w(y) for w in l if w(1) for y in w]
names = {s: s() for s in l}
lazy = (e() for e in {f, g})
any(o() for o in l)
f(*l, **d)
f(1, key=g, *t)
sum_of = f + [g] | h
both = f(x) if g(x) else h(x)
either = not f(x) or x < g(y) < 3
text = "%s" % f(x)
del d["a"], l[f(0)]
assert f(x), g(x)


def change(table, spare={}):
    table["late"] = f
    d["global"] = g
    l.append(h)
    local = {}
    local["k"] = spare
    local["n"] += f(1)
    return local["k"], table["late"]


change(d)["q"].run().stop()
