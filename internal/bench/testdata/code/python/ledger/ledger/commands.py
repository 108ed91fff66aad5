from functools import wraps

from . import model
from .model import Entry, Money

_history = []


def undoable(reverse):
    def mark(fn):
        @wraps(fn)
        def wrapper(self, store, *args):
            given = fn(self, store, *args)
            _history.append(lambda: reverse(store, given))
            return given

        return wrapper

    return mark


def put_back(store, entries):
    for e in entries:
        store.add(e)


def take_out(store, entry):
    store.drop(entry.account)


def undo_last(store):
    step = _history.pop()
    step()


class Command:
    known = {}

    def __init_subclass__(cls, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Command.known[name or cls.__name__.lower()] = cls()

    def run(self, store, *args):
        raise model.LedgerError("nothing to run")

    def describe(self):
        return self.title() + "?"

    def title(self):
        return type(self).__name__


class Add(Command, name="add"):
    @undoable(take_out)
    def run(self, store, text):
        entry = Entry.parse(text)
        store.add(entry)
        return entry


class Drop(Command):
    @undoable(put_back)
    def run(self, store, name):
        return store.drop(name)

    def title(self):
        return "drop " + super().title()


class Total(Command):
    def run(self, store):
        total = Money(0)
        for e in store:
            total = total + e.amount
        return _round(total)


def _round(money):
    def up(n):
        nonlocal steps
        steps += 1
        return n + 1

    steps = 0
    while steps < 2:
        up(money.amount)
    return money


def dispatch(store, name, *args):
    try:
        command = Command.known[name]
    except KeyError:
        raise model.LedgerError(name)
    return command.run(store, *args)
