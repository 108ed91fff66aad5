"""Names that are made up at run time, and methods that signs stand for."""


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __add__(self, other):
        return Money(self.amount + other.amount)

    def __eq__(self, other):
        return self.amount == other.amount

    def __str__(self):
        return self.label()

    def __len__(self):
        return self.amount

    def __contains__(self, coin):
        return coin <= self.amount

    def label(self):
        return "money"


class Visitor:
    def visit(self, node):
        method = getattr(self, "visit_" + node)
        return method()

    def visit_leaf(self):
        return 1

    def visit_branch(self):
        return self.visit("leaf")


class Plugin:
    def load(self):
        return "loaded"

    def start(self):
        return "started"


class Lazy:
    def __getattr__(self, name):
        return self.missing

    def missing(self):
        return None


class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)


class Made(metaclass=Meta):
    def __init__(self):
        self.ready = True


def by_constant():
    return getattr(Plugin(), "load")()


def by_variable():
    name = "start"
    return getattr(Plugin(), name)()


def by_loop():
    plugin = Plugin()
    for step in ("load", "start"):
        getattr(plugin, step)()


def by_globals():
    return globals()["by_constant"]()


def attached():
    plugin = Plugin()
    setattr(plugin, "extra", by_constant)
    return plugin.extra()


def signs():
    total = Money(1) + Money(2)
    str(total)
    len(total)
    1 in total
    return total == total


def lazily():
    return Lazy().anything()


Visitor().visit("branch")
by_constant()
by_variable()
by_loop()
by_globals()
attached()
signs()
lazily()
Made()
