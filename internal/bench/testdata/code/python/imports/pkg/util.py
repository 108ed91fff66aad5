from .deep.leaf import grow


def hidden():
    return grow()
