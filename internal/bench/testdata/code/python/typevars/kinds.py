from typing import Any, Callable, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Base:
    def ready(self):
        return True


class Left(Base):
    def left(self):
        return 1


class Right(Base):
    def right(self):
        return 2
