class Store:
    def put(self, key):
        return self.write(key)

    def write(self, key):
        raise NotImplementedError


class MemoryStore(Store):
    def __init__(self):
        self.data = {}

    def write(self, key):
        self.data[key] = True


def open_store() -> Store:
    return MemoryStore()
