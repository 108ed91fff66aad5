"""Where names get their values."""


def one():
    return 1


def two():
    return 2


def three():
    return 3


shared = one


def again():
    first = one
    first = two
    first()


def parts():
    a, b = two, three
    b()


def deeper():
    c, (d, e) = one, (two, three)
    e()


def rest():
    head, *tail = one, two, three
    tail[1]()


def twice():
    x = y = three
    return y()


def swapped():
    a, b = one, two
    a, b = b, a
    b()


def rebind():
    global shared
    shared = three


def use():
    shared()


def pick(flag):
    if flag:
        chosen = one
    else:
        chosen = two
    return chosen()


def counter():
    step = one

    def change():
        nonlocal step
        step = three

    change()
    step()


def named():
    return (walrus := two)()


def looped():
    last = None
    for last in (one, three):
        last()


def fallback(given=None):
    given = given or two
    return given()


def shadowed(one):
    return one()


def conditional(flag):
    return (one if flag else three)()


again()
parts()
deeper()
rest()
twice()
swapped()
use()
rebind()
use()
pick(True)
pick(False)
counter()
named()
looped()
fallback()
shadowed(two)
conditional(True)
conditional(False)
