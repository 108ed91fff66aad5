"""Imports in all forms."""
import pkg
import pkg.deep.leaf
import pkg.util as helper
from pkg import exposed, deep
from pkg.deep import leaf as renamed
from pkg.deep.leaf import grow
from pkg.wild import *
import cycle_a


def local():
    from pkg.util import hidden
    import pkg.lazy
    hidden()
    pkg.lazy.wake()


pkg.exposed()
pkg.deep.leaf.grow()
helper.hidden()
exposed()
deep.leaf.grow()
renamed.shrink()
grow()
spread()
local()
cycle_a.ping(2)
if __name__ == "__main__":
    grow()
