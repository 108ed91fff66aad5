class Shape:
    def area(self):
        raise NotImplementedError


class Circle(Shape):
    def area(self):
        return self.radius() * 3

    def radius(self):
        return 1


class Square(Shape):
    def area(self):
        return self.corner()

    def corner(self):
        return 4
