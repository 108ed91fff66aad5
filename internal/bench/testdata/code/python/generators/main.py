"""Generators, iterators, comprehensions, context managers."""
from contextlib import contextmanager


def task():
    return 1


def other():
    return 2


def tasks():
    yield task
    yield other


def delegated():
    yield from tasks()


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return task


class Bag:
    def __iter__(self):
        yield other


class Guard:
    def __enter__(self):
        return Session()

    def __exit__(self, *exc):
        return False


class Session:
    def send(self):
        return 1


@contextmanager
def opened():
    yield Session()


def iterate():
    for t in tasks():
        t()


def iterate_deep():
    for t in delegated():
        t()


def count():
    for item in Countdown(2):
        item()


def bag():
    for item in Bag():
        item()


def guard():
    with Guard() as session:
        session.send()


def context():
    with opened() as session:
        session.send()


def advance():
    source = tasks()
    next(source)()


iterate()
iterate_deep()
count()
bag()
guard()
context()
advance()
