"""Generic names that are declared apart."""
from typing import Any, Callable, List, Optional, Type, TypeVar
from kinds import Base, Left, Right, F

T = TypeVar("T")
B = TypeVar("B", bound=Base)


def same(func: F) -> F:
    func.marked = True
    return func


def first(items: List[T]) -> T:
    return items[0]


def ident(value: T) -> T:
    return value


def build(kind: Type[B]) -> B:
    made = kind()
    made.ready()
    return made


def wrap(func: F) -> F:
    def inner(*args: Any) -> Any:
        return func(*args)
    return inner


class Store:
    @same
    def load(self) -> Left:
        return Left()

    @same
    def save(self) -> None:
        return None


@wrap
def work(n: int) -> int:
    return n


first([Left(), Left()]).left()
ident(Right()).right()
build(Left).left()
Store().load().left()
Store().save()
work(1)
