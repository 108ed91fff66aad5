"""Which of several things of one name is meant."""
import helpers
from helpers import work as imported


def work():
    return "own"


def outer():
    def work():
        return helper()

    def helper():
        return "inner"

    return work()


class Holder:
    work = imported

    def method(self):
        return work()

    def through(self):
        return Holder.work()


def hides(work):
    return work()


def later():
    return defined_below()


def defined_below():
    return imported()


def twice():
    return "first"


def twice():
    return "second"


def closure():
    def make(n):
        def inner():
            return work()
        return inner
    return [make(i) for i in range(2)]


class Same:
    def run(self):
        return run()


def run():
    return "plain"


def loop_variable():
    found = []
    for step in (work, run):
        found.append(step)
    return step()


def deleted():
    value = work
    del value
    value = run
    return value()


def in_default(callback=work):
    return callback()


def recursive(n):
    return recursive(n - 1) if n else work()


work()
outer()
Holder().method()
Holder().through()
hides(helpers.work)
later()
twice()
for made in closure():
    made()
Same().run()
loop_variable()
deleted()
in_default()
recursive(2)
helpers.work()
