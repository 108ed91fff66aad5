class Counting:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.count = 0

    def add(self, entry):
        self.count += 1
        super().add(entry)
        self.changed()

    def changed(self):
        pass


class Base:
    def __init__(self, entries=None):
        self.entries = entries or []
        self.listeners = []

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, kind, value, trace):
        self.close()
        return False

    def __iter__(self):
        return iter(self.entries)

    def __contains__(self, name):
        return any(self._named(e, name) for e in self.entries)

    def _named(self, entry, name):
        return entry.account == name

    def begin(self):
        self.listen(self.log)

    def close(self):
        raise NotImplementedError

    def listen(self, fn):
        self.listeners.append(fn)

    def log(self, what):
        self.last = what

    def add(self, entry):
        self.entries.append(entry)
        for fn in self.listeners:
            fn(entry)

    def drop(self, name):
        gone = [e for e in self.entries if self._named(e, name)]
        self.entries = [e for e in self.entries if e not in gone]
        return gone

    def revalue(self, name, rate):
        self.entries = [e.scaled(rate) if self._named(e, name) else e for e in self.entries]


class MemoryStore(Counting, Base):
    def close(self):
        self.entries = self.entries[:]

    def changed(self):
        self.log("changed")


class FileStore(MemoryStore):
    def close(self):
        super().close()
        self.flush()

    def flush(self):
        pass
