"""Functions in dicts, lists and tuples."""


def red():
    return "red"


def green():
    return "green"


def blue():
    return "blue"


colors = {"red": red, "green": green}
order = [red, green]


def by_key():
    colors["red"]()


def added():
    table = {}
    table["blue"] = blue
    table["blue"]()


def replaced():
    table = {"red": red}
    table["red"] = green
    table["red"]()


def by_index():
    order[0]()


def from_end():
    queue = [red]
    queue.append(blue)
    queue[-1]()


def nested():
    tree = {"warm": {"a": red}, "cold": [blue, green]}
    tree["warm"]["a"]()
    tree["cold"][1]()


def numbered():
    keys = {1: red, "1": green}
    keys[1]()


def sliced():
    for paint in order[:2]:
        paint()


def pairs():
    for name, paint in {"b": blue}.items():
        paint()


def counted():
    for index, paint in enumerate([green]):
        paint()


def zipped():
    for left, right in zip([red], [blue]):
        right()


def comprehended():
    return [make() for make in (green, blue)]


def table_of():
    return {make: make() for make in [red]}


def generated():
    return any(make() for make in [blue])


def fill(target):
    target["late"] = red


def filled():
    late = {}
    fill(late)
    late["late"]()


def give():
    return {"get": green}


def given():
    give()["get"]()


def got():
    give().get("get")()


def constructed():
    empty = dict()
    empty["k"] = blue
    empty["k"]()


def merged():
    both = {**colors, "last": blue}
    both["last"]()
    both["green"]()


def popped():
    picks = {"k": red}
    picks.pop("k")()


def passed(table):
    table["x"]()


def by_variable(name):
    colors[name]()


def tupled():
    pair = red, blue
    left, right = pair
    right()


def joined():
    both = [red] + [blue]
    for paint in both:
        paint()


class Menu:
    def __init__(self):
        self.entries = {}
        self.entries["open"] = self.open
        self.queue = [self.close]

    def open(self):
        return "open"

    def close(self):
        return "close"

    def choose(self):
        self.entries["open"]()
        for entry in self.queue:
            entry()


Menu().choose()
for check in (by_key, added, replaced, by_index, from_end):
    check()
nested()
numbered()
sliced()
pairs()
counted()
zipped()
comprehended()
table_of()
generated()
filled()
given()
got()
constructed()
merged()
popped()
passed({"x": blue, "y": red})
by_variable("red")
by_variable("green")
tupled()
joined()
