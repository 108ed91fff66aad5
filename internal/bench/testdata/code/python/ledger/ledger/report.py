from itertools import groupby

from .model import Money


def account_of(entry):
    return entry.account


def by_account(entries):
    for name, group in groupby(sorted(entries, key=account_of), key=account_of):
        yield name, list(group)


def flatten(lists):
    for one in lists:
        yield from _each(one)


def _each(entries):
    for e in entries:
        yield e


def running(store):
    total = Money(0)
    for e in filter(_counts, store):
        total += e.amount
        yield total


def _counts(entry):
    return entry.amount > Money(0)


def titled(text):
    steps = [str.strip, _capital, lambda t: _line(t)]
    for step in steps:
        text = step(text)
    return text


def _capital(text):
    return text.capitalize()


def _line(text):
    return text + "\n"
