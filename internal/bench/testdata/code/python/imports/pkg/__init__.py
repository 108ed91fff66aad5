from .util import hidden as exposed
from . import deep
