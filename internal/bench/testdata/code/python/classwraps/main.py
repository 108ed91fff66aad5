import functools


def singleton(cls):
    instances = {}

    def get(*a):
        if cls not in instances:
            instances[cls] = cls(*a)
        return instances[cls]

    return get


def add_hello(cls):
    def hello(self):
        return self.name()
    cls.hello = hello
    return cls


class Retry:
    def __init__(self, times):
        self.times = times

    def __call__(self, fn):
        @functools.wraps(fn)
        def run(*args):
            return fn(*args)
        return run


def optional(fn=None, *, flag=False):
    if fn is None:
        return functools.partial(optional, flag=flag)

    def wrapped():
        return fn()
    return wrapped


@singleton
class Config:
    def __init__(self, path):
        self.path = path

    def read(self):
        return self.path


@add_hello
class Person:
    def name(self):
        return "p"


@Retry(3)
def fetch():
    return 1


@optional
def plain():
    return 1


class Api:
    def guard(fn):
        def checked(self):
            return fn(self)
        return checked

    @guard
    def call(self):
        return 1


Config("x").read()
Person().hello()
fetch()
plain()
Api().call()
