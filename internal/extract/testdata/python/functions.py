"""Functions, parameters, decorators, generators."""
from functools import lru_cache

LIMIT = 10
_hidden: int = LIMIT
first, *others = LIMIT, trace, measure


def trace(func):
    """Log calls.

    More text.
    """
    def inner(*args, **kwargs):
        return func(*args, **kwargs)
    return inner


def tagged(name, *, deep=False):
    return lambda f: f


@trace
@tagged("m", deep=LIMIT > 3)
async def measure(a, /, b: int = 3, *rest: str, c, d=trace(len), **kw: "dict[str, int]") -> list[int]:
    # a comment is no docstring
    await fetch(b)
    return [a, b]


@lru_cache
def numbers(n):
    for i in range(n):
        yield i
    yield from others
    return n


def counter():
    count = 0

    def step():
        nonlocal count
        count += 1
        global LIMIT, fresh
        LIMIT = count
        fresh = step
        return step
    return step


counter()()
(lambda x, y=trace: y(x))(1)
table = sorted(others, key=lambda o: o.name)
pick = trace if LIMIT else measure
pick = pick or numbers
print(f"{pick(1)!r:>{LIMIT}}" "tail", "a" "b")


# Says hello.
# Twice.
def described():
    # about inner
    def inner():
        pass


# Not this.
def described_within():
    """This."""


# Kept for later.

def far_from_it():
    x = 1  # about x
    def beside():
        pass


# pylint: disable=all
# Decorated.
@decorate
class Commented:  # not about first
    # The first.
    def first(self):
        pass

    # The second.
    @property
    def second(self):
        pass
