from .model import Account, Entry, Money
from .store import FileStore, MemoryStore

_kinds = {"memory": MemoryStore, "file": FileStore}


def open_store(kind, *args, **kwargs):
    return _kinds[kind](*args, **kwargs)
