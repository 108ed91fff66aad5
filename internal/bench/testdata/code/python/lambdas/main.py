"""Lambdas and closures."""


def apply(func, value):
    return func(value)


def double(n):
    return n * 2


def adder(n):
    return lambda m: double(m + n)


def compose(f, g):
    def composed(x):
        return f(g(x))
    return composed


square = lambda n: n * n
square(2)
apply(lambda n: double(n), 3)
apply(square, 4)
adder(1)(2)
compose(double, square)(3)
(lambda: double(1))()
list(map(double, [1, 2]))
sorted([3, 1], key=square)
table = {"inc": lambda n: n + 1}
table["inc"](1)


class Button:
    def __init__(self):
        self.handlers = []

    def on(self, handler):
        self.handlers.append(handler)

    def click(self):
        for handler in self.handlers:
            handler(1)


button = Button()
button.on(double)
button.on(lambda n: n)
button.click()
