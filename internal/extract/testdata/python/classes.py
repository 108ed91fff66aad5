import abc
from enum import Enum
from typing import ClassVar, Generic, Protocol


class Base(abc.ABC):
    """What all share."""

    registry: ClassVar[dict] = {}
    limit = 3
    name: str

    def __init__(self, name, store=None):
        self.name = name
        self.store = None
        self.store = store or Store()
        self.items["first"] = self.run
        self.left, self.right = Base, name

    @abc.abstractmethod
    def run(self): ...

    @staticmethod
    def make(kind):
        return kind()

    @classmethod
    def create(cls, *args):
        cls.count = 0
        return cls(*args)

    @property
    def size(self) -> int:
        return self.store.size

    @size.setter
    def size(self, value):
        def later():
            self.delayed = value
        later()

    def __iter__(self):
        return self

    def __next__(self):
        return self.run

    def __call__(self, x):
        return x


class Child(Base, metaclass=abc.ABCMeta):
    class Meta:
        ordering = make_order("x")

    def __init__(self):
        super().__init__("child")
        super(Child, self).run()
        Base.run(self)

    def run(self):
        with self.store.open() as (handle, extra), lock:
            handle.read()
        raise Failed
        raise errors.Deep from None


class Color(Enum):
    RED = 1
    BLUE = auto()

    def paint(self):
        return Color.RED


class Reads(Protocol):
    def read(self) -> bytes: ...
    def again(self): return self.read()


class Box(Generic[T], make_base(Base), **options):
    pass


@register
class Plugin(pkg.Base["x"]):
    run = Base.run
    go = lambda self: self.run()

    def _quiet(*args):
        args[0].x = 1


box = Box()
box.handler = print
box.inner.deep = box
box.handler(1)
try:
    box()
except (KeyError, ValueError) as err:
    raise err
except Exception:
    raise Failed("x")
