class Registry:
    def __init__(self):
        self.known = {}

    def register(self, name, handler):
        self.known[name] = handler
        return handler

    def dispatch(self, name):
        return self.known[name]()


registry = Registry()


def handles(name):
    def decorate(handler):
        return registry.register(name, handler)
    return decorate
