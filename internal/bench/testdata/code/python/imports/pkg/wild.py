from pkg.deep.leaf import shrink

__all__ = ["spread"]


def spread():
    return shrink()
