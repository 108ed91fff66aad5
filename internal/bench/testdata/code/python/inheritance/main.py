"""Method resolution order and super."""


class Root:
    def __init__(self):
        self.setup()

    def setup(self):
        return self.name()

    def name(self):
        return "root"

    def only_root(self):
        return 1


class Left(Root):
    def name(self):
        return "left"

    def greet(self):
        return "left"


class Right(Root):
    def greet(self):
        return "right"

    def only_right(self):
        return self.only_root()


class Both(Left, Right):
    def __init__(self):
        super().__init__()
        self.greet()
        self.only_right()

    def setup(self):
        super().setup()
        return Right.greet(self)


class Old(Root):
    def __init__(self):
        super(Old, self).__init__()
        Root.name(self)


Both()
Old().only_root()
Root()


class Plug:
    def load(self):
        return self.inner()

    def inner(self):
        return "plug"


class Socket(Plug):
    def inner(self):
        return super().inner()


Socket().load()
Plug().load()


class Cooperative:
    def step(self):
        return 0


class A(Cooperative):
    def step(self):
        return super().step()


class B(Cooperative):
    def step(self):
        return super().step()


class C(A, B):
    def step(self):
        return super().step()


C().step()
