import functools
import threading
from itertools import groupby, starmap, takewhile
from collections import Counter


def by_len(s):
    return len(s)


def is_ok(s):
    return bool(s)


def combine(a, b):
    return a


def cmp(a, b):
    return 0


def work(n):
    return n


def pick(p):
    return p


class Item:
    def __init__(self, n):
        self.n = n

    def rank(self):
        return self.n

    def __lt__(self, o):
        return self.n < o.n


words = ["a", "bb"]
sorted(words, key=by_len)
words.sort(key=lambda w: by_len(w))
list(filter(is_ok, words))
max(words, key=by_len)
functools.reduce(combine, words)
sorted(words, key=functools.cmp_to_key(cmp))
t = threading.Thread(target=work, args=(1,))
t.start()
t.join()
list(starmap(combine, [(1, 2)]))
list(takewhile(is_ok, words))
for k, g in groupby(words, pick):
    pass
items = [Item(1), Item(2)]
min(items, key=Item.rank)
sorted(items)
next(filter(is_ok, words))
best = max(items, key=lambda i: i.rank())
best.rank()
list(map(Item, [1, 2]))[0].rank()
list(map(lambda i: i.rank(), items))
