"""Tables of more functions than a few."""
import re
import threading


def a(): return 1
def b(): return 2
def c(): return 3
def d(): return 4
def e(): return 5
def f(): return 6
def g(): return 7
def h(): return 8
def i(): return 9
def j(): return 10


STEPS = [a, b, c, d, e, f, g, h, i, j]
for step in STEPS:
    step()


def upper(match):
    return match.group(0).upper()


def later():
    return None


def clean(text):
    return re.sub("[a-z]", upper, text)


WORD = re.compile("[0-9]")


def digits(text):
    return WORD.sub(upper, text)


def start():
    worker = threading.Thread(target=later)
    worker.start()
    worker.join()


clean("ab")
digits("12")
start()
