"""Events, commands, registries, trees: how programs are put together."""
from abc import ABC, abstractmethod
from collections import defaultdict
from registry import Registry, registry, handles


class Bus:
    def __init__(self):
        self.subscribers = {}
        self.queues = defaultdict(list)

    def on(self, name, handler):
        self.subscribers.setdefault(name, []).append(handler)
        self.queues[name].append(handler)

    def emit(self, name):
        for handler in self.subscribers.get(name, []):
            handler()

    def drain(self, name):
        while self.queues[name]:
            self.queues[name].pop()()


def opened():
    return "opened"


def closed():
    return "closed"


class Command(ABC):
    @abstractmethod
    def run(self):
        ...

    def __call__(self):
        return self.run()


class Add(Command):
    def run(self):
        return opened()


class Delete(Command):
    def run(self):
        return closed()


class Shell:
    commands = {"add": Add, "delete": Delete}

    def execute(self, name):
        return self.commands[name]()()


class Tree:
    def __init__(self, action=None):
        self.action = action
        self.children = []

    def add(self, child):
        self.children.append(child)
        return self

    def walk(self):
        if self.action:
            self.action()
        for child in self.children:
            child.walk()


class Saves:
    def save(self):
        return self.write()


class Disk:
    def write(self):
        return "written"


class Document(Saves, Disk):
    pass


class Shape:
    def area(self):
        return 0

    def describe(self):
        return self.area()


class Round(Shape):
    def area(self):
        return 3


class Flat(Shape):
    def area(self):
        return 4


@handles("ping")
def ping():
    return "pong"


def pipeline(value, *steps):
    for step in steps:
        value = step(value)
    return value


def double(n):
    return n * 2


def chained(step):
    for _ in range(2):
        step = step()
    return step


def first():
    return second


def second():
    return opened


bus = Bus()
bus.on("open", opened)
bus.on("close", closed)
bus.emit("open")
bus.emit("close")
bus.drain("open")
Shell().execute("add")
Shell().execute("delete")
Tree(opened).add(Tree(closed)).walk()
Document().save()
Round().describe()
registry.dispatch("ping")
Registry().register("other", double)
pipeline(1, double, abs)
chained(first)
