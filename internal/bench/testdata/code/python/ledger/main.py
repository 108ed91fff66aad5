"""A small ledger: reads entries, runs commands on them, prints reports."""
import asyncio
from functools import partial

from ledger import Account, Entry, Money, open_store
from ledger.commands import Command, dispatch, undo_last
from ledger.rates import *
from ledger.report import by_account, flatten, running, titled


def audit(prefix, *lines, sink=print, **marks):
    for line in lines:
        sink(prefix, line)
    return marks.get("after", done)(prefix)


def done(prefix):
    return len(prefix)


def quiet(*parts):
    return parts


def closing(prefix):
    return prefix.upper()


shout = partial(audit, "!", sink=quiet)


def load(store):
    for text in ("rent 700", "food 80", "food 20"):
        store.add(Entry.parse(text))
    store.add(Entry("pay", Money(1200)))


async def refresh(store):
    rates = await fetch_all(["EUR", "USD"])
    async with locked(store) as held:
        for name, rate in rates.items():
            held.revalue(name, rate)
    return rates


def main():
    with open_store("memory") as store:
        load(store)
        asyncio.run(refresh(store))
        dispatch(store, "add", "tax 90")
        dispatch(store, "drop", "food")
        dispatch(store, "total")
        undo_last(store)
        total = sum((e.amount for e in store), Money(0))
        if total > Money(10) and "rent" in store:
            shout("big", after=closing)
        audit("-", str(total), total.shown)
    for name, entries in by_account(flatten([list(store), [Entry("x", -Money(5))]])):
        Account(name).take(*entries)
    for value in running(store):
        value.label()
    titled("sums")
    return [c.describe() for c in Command.known.values()]


if __name__ == "__main__":
    main()
