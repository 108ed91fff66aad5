def good():
    return helper(1)

class :
    def lost(self):
        helper(2)

def (x):
    helper(3)

class Half(Base:
    def kept(self, a=:
        self.x = helper(4

d[ = helper(5)
@
def after(:
    pass

for in x:
    helper(6)
import
from import y
x = lambda: (helper(7)
