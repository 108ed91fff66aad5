import operator
import functools
import importlib


class Registry(type):
    items = {}

    def __new__(mcs, name, bases, ns):
        cls = super().__new__(mcs, name, bases, ns)
        mcs.items[name] = cls
        return cls


class Plugin(metaclass=Registry):
    def run(self):
        return 1


class Alpha(Plugin):
    def run(self):
        return 2


class Sub:
    known = []

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Sub.known.append(cls)


class SubA(Sub):
    def act(self):
        return 1


class Field:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner):
        return self.load()

    def load(self):
        return 5


class Model:
    field = Field()


class Caller:
    def __call__(self, x):
        return self.inner(x)

    def inner(self, x):
        return x


class Proxy:
    def __init__(self, target):
        self._target = target

    def __getattr__(self, name):
        return getattr(self._target, name)


def act_all():
    for cls in Sub.known:
        cls().act()


def power(b, e):
    return b ** e


act_all()
call = Caller()
call(1)
list(map(call, [1]))
cube = functools.partial(power, e=3)
cube(2)
operator.methodcaller("run")(Alpha())
functools.reduce(power, [1, 2])
mod = importlib.import_module("plug")
mod.entry()
getattr(mod, "second")()
Alpha.run(Alpha())
type(Alpha())().run()
Alpha().__class__().run()
