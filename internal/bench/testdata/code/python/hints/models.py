class User:
    def __init__(self, name):
        self.name = name

    def display(self):
        return self.pretty()

    def pretty(self):
        return self.name
