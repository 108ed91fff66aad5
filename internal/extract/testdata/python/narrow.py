"""Names whose class a check tells."""
import shapes


def area(x, y, z):
    if isinstance(x, shapes.Square) and y:
        x.side()
        x = y
        x.other()
    elif isinstance(x, (shapes.Circle, Dot)):
        x.radius()
    if not isinstance(y, Dot | shapes.Circle):
        return None
    y.dot()
    assert isinstance(z, Dot)
    z.dot()
    return isinstance(x, Dot) and x.dot()


def either(x, y):
    value = x.dot() if isinstance(x, Dot) else y
    if isinstance(x, Dot):
        def inner():
            return x.dot()
        inner()
    match y:
        case Dot(at=place):
            y.dot()
        case _:
            y.other()
    name = f"visit_{value}"
    again = "visit_%s" % value
    getattr(x, name)()
    return getattr(x, again)()
