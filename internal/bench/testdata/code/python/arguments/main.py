"""Functions handed over as arguments."""
from tools import run_twice, run_named


def hello():
    return "hello"


def bye():
    return "bye"


def fallback():
    return hello()


def invoke(action):
    return action()


def relay(action):
    return invoke(action)


def choose(first, second=fallback):
    first()
    return second


def many(*actions):
    for action in actions:
        action()


def options(**named):
    return named["start"]()


def keywords(*, before, after):
    before()
    return after()


def spread(a, b):
    a()
    b()


relay(hello)
choose(bye)()
choose(bye, hello)
many(hello, bye)
options(start=bye, stop=hello)
keywords(after=hello, before=fallback)
pair = (hello, fallback)
spread(*pair)
spread(**{"a": bye, "b": hello})
run_twice(bye)
run_named(job=hello)
