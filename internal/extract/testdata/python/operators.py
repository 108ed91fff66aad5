a = b + c * 2
-a
a < b <= c
a not in b
1 in [1]
a[0] = b
del a[0], b["k"]
a += b
"x" + a
[f] * 2
getattr(a, f"do_{b}")


class A(Base, name=f()):
    pass


while step:
    step = step()
for x in xs:
    last = (last, x)
    fresh = x
    fresh()
