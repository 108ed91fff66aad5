import asyncio

__all__ = ["fetch_all", "locked"]

_rates = {"EUR": 1, "USD": 2}


async def _fetch(name):
    await asyncio.sleep(0)
    return _lookup(name)


def _lookup(name):
    return _rates.get(name, 1)


async def fetch_all(names):
    found = {}
    for name in names:
        found[name] = await _fetch(name)
    return found


class locked:
    def __init__(self, store):
        self.store = store

    async def __aenter__(self):
        await self._acquire()
        return self.store

    async def __aexit__(self, *exc):
        self._release()

    async def _acquire(self):
        self.held = True

    def _release(self):
        self.held = False
