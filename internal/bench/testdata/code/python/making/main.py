"""Ways to make an instance."""
from collections import deque


class Point:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.x = x
        return made

    def moved(self, by):
        return type(self)(self.x + by)

    def copy(self):
        return self.__class__(self.x)

    @classmethod
    def origin(cls):
        made = cls(0)
        made.mark()
        return made

    def mark(self):
        return "point"


class Named(Point):
    def mark(self):
        return "named"


class Task:
    def __init__(self, after=()):
        self.after = after

    def run(self):
        return self.after


def drain(first):
    todo = deque([first])
    while todo:
        task = todo.popleft()
        todo.extend(task.run())


Point(1).moved(2).mark()
Point(1).copy().mark()
Point.origin()
Named.origin()
Named(3).mark()
drain(Task([Task()]))
