from __future__ import annotations

import os
import os.path
import a.b.c as abc, json
import importlib
from . import sibling
from .. import up as parent
from ..pkg.mod import (
    one,
    two as second,
)
from wild import *
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapes import Shape
else:
    Shape = object

try:
    import fast
except ImportError:
    fast = None

__all__ = ["one", "local_import"]


def local_import():
    import lazy.part
    from lazy import thing
    thing(lazy.part.run())
    global late
    import late


plugin = importlib.import_module("plugins.first")
other = __import__("plugins.second")
unknown = importlib.import_module(f"plugins.{plugin}")
os.path.join(abc.x(), second(one))
