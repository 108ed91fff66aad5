from __future__ import annotations

from dataclasses import dataclass, field


class Checked:
    """A descriptor: every value that is set is checked first."""

    def __init__(self, check):
        self.check = check

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.slot)

    def __set__(self, obj, value):
        self.check(value)
        setattr(obj, self.slot, value)


def not_empty(text):
    if not text:
        raise EmptyName(text)


class LedgerError(Exception):
    def __init__(self, what):
        super().__init__(what)
        self.what = what

    def hint(self):
        return self.what


class EmptyName(LedgerError):
    pass


@dataclass(frozen=True, order=False)
class Money:
    amount: int

    def __add__(self, other: Money) -> Money:
        return self._with(self.amount + other.amount)

    __radd__ = __add__

    def __neg__(self):
        return self._with(-self.amount)

    def __gt__(self, other):
        return self.amount > other.amount

    def __str__(self):
        return self.label()

    def _with(self, amount):
        return type(self)(amount)

    def label(self):
        return f"{self.amount}"

    @property
    def shown(self):
        return self.label().rjust(8)


class Entry:
    account = Checked(not_empty)

    def __init__(self, account, amount, tags=()):
        self.account = account
        self.amount = amount
        self.tags = list(tags)

    @classmethod
    def parse(cls, text):
        try:
            name, amount = text.split()
            return cls(name, cls._money(amount))
        except ValueError as err:
            raise LedgerError(str(err)) from err

    @staticmethod
    def _money(text):
        return Money(int(text))

    def scaled(self, by):
        return Entry(self.account, Money(self.amount.amount * by), self.tags)


@dataclass
class Account:
    name: str
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self):
        self.touch()

    def touch(self):
        self.fresh = True

    def take(self, *entries):
        for e in entries:
            self.entries.append(e)
            self._note(e.amount)
        return self

    def _note(self, amount: Money):
        self.last = amount.label()
