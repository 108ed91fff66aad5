"""Decorators that keep, wrap and replace."""
import functools
from wraps import timed, register, run_all


def keep(func):
    return func


def wrap(func):
    def inner(*args):
        return func(*args)
    return inner


def with_label(label):
    def decorate(func):
        @functools.wraps(func)
        def labelled(*args, **kwargs):
            return func(*args, **kwargs)
        return labelled
    return decorate


def replace(func):
    return substitute


def substitute():
    return None


class Cached:
    def __init__(self, func):
        self.func = func

    def __call__(self, *args):
        return self.func(*args)


@keep
def kept():
    return 1


@keep
def kept_too():
    return 1


@wrap
def wrapped():
    return 2


@with_label("x")
def labelled_one():
    return 3


@keep
@wrap
def stacked():
    return 4


@replace
def gone():
    return 5


@Cached
def cached(n):
    return n


@timed
def slow():
    return 6


@register("job")
def job():
    return 7


kept()
kept_too()
wrapped()
labelled_one()
stacked()
gone()
cached(1)
slow()
run_all()
