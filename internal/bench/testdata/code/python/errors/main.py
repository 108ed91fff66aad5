"""Exceptions, matching, and other control flow."""


class Failure(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code

    def explain(self):
        return self.code


class Plain(Exception):
    def describe(self):
        return "plain"


class Late(Exception):
    def __init__(self):
        super().__init__("late")


def risky():
    raise Failure(3)


def lazy():
    raise Late


def cleanup():
    return None


def handle():
    try:
        risky()
    except Failure as failure:
        failure.explain()
    finally:
        cleanup()


def handle_many():
    try:
        raise Plain()
    except (Plain, Failure) as problem:
        problem.describe()


class Point:
    def __init__(self, x):
        self.x = x

    def norm(self):
        return self.x


def inspect(value):
    match value:
        case Point() as point:
            return point.norm()
        case {"key": action}:
            return action()
        case [first, *rest]:
            return first()


handle()
handle_many()
try:
    lazy()
except Late:
    cleanup()
inspect(Point(1))
inspect({"key": cleanup})
inspect([cleanup])
assert cleanup() is None
