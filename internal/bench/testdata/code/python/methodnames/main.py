"""Methods whose names are put together."""


class Visitor:
    def visit(self, node):
        method = "visit_" + node
        return getattr(self, method, self.generic)(node)

    def generic(self, node):
        return None


class Printer(Visitor):
    def visit_name(self, node):
        return self.show(node)

    def visit_call(self, node):
        return self.show(node)

    def show(self, node):
        return node


class Machine:
    def run(self, steps):
        for step in steps:
            name = f"do_{step}"
            getattr(self, name)()

    def do_start(self):
        return 1

    def do_stop(self):
        return 2


class Parser:
    def token(self, kind):
        return getattr(self, "_on_%s" % kind)()

    def other(self, kind):
        return getattr(self, "_at_{}".format(kind))()

    def _on_word(self):
        return 1

    def _on_sign(self):
        return 2

    def _at_end(self):
        return 3


printer = Printer()
printer.visit("name")
printer.visit("call")
Machine().run(["start", "stop"])
parser = Parser()
parser.token("word")
parser.token("sign")
parser.other("end")
