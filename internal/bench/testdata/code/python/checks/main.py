"""What a check of its class says of a name."""
from shapes import Circle, Square, Shape


class Label:
    def text(self):
        return "label"

    def area(self):
        return 0


def measure(thing):
    if isinstance(thing, Circle):
        return thing.area() + thing.radius()
    elif isinstance(thing, (Square, Label)):
        return thing.area()
    return 0


def strict(thing):
    if not isinstance(thing, Circle):
        return None
    return thing.radius()


def asserted(thing):
    assert isinstance(thing, Label)
    return thing.text()


def short(thing):
    return isinstance(thing, Label) and thing.text()


def again(thing):
    if isinstance(thing, str):
        thing = Label()
        thing.text()
    return thing


def load(raw):
    for item in raw:
        if isinstance(item, Square):
            item.corner()


def safe(thing):
    try:
        return thing.check()
    except ValueError:
        return 0


for make in (Circle, Square, Label):
    measure(make())
strict(Circle())
strict(Square())
asserted(Label())
short(Label())
again("x")
load([Square(), 1])
