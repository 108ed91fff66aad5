"""Functions and objects that come out of calls."""


def base():
    return 1


def alternative():
    return 2


def give():
    return base


def give_either(flag):
    if flag:
        return base
    return alternative


def outer():
    def inner():
        return base()
    return inner


def echo(value):
    return value


def chain():
    return give()


class Node:
    def __init__(self):
        self.child = None

    def add(self):
        self.child = Node()
        return self

    def leaf(self):
        return self.child

    def value(self):
        return 1


class Builder:
    def name(self, text) -> "Builder":
        return self

    def build(self) -> Node:
        return Node()


def typed(node: Node, maybe: "Node | None" = None):
    node.value()
    if maybe:
        maybe.leaf()


give()()
give_either(True)()
give_either(False)()
outer()()
echo(base)()
echo(alternative)()
chain()()
Node().add().leaf().value()
Builder().name("a").name("b").build().value()
pairs = (lambda: (base, alternative))()
pairs[1]()
typed(Node(), Node().add())
