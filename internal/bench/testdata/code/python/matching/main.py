class Node:
    pass


class Num(Node):
    __match_args__ = ("value",)

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class Add(Node):
    __match_args__ = ("left", "right")

    def __init__(self, left, right):
        self.left = left
        self.right = right

    def sides(self):
        return 2


def evaluate(node):
    match node:
        case Num(value=v):
            return node.get()
        case Add(left, right) as add:
            add.sides()
            return evaluate(left) + evaluate(right)
        case _:
            return fallback()


def dispatch(cmd):
    match cmd:
        case ["go", fn]:
            return fn()
        case {"do": action}:
            return action()
        case str():
            return fallback()


def fallback():
    return 0


def jump():
    return 1


def duck():
    return 2


evaluate(Add(Num(1), Num(2)))
evaluate(None)
dispatch(["go", jump])
dispatch({"do": duck})
dispatch("x")
