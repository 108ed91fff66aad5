jobs = {}


def timed(func):
    def timer():
        return func()
    return timer


def register(name):
    def add(func):
        jobs[name] = func
        return func
    return add


def run_all():
    for name in jobs:
        jobs[name]()
