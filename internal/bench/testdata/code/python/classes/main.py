"""Instances, attributes, class and static methods."""
from shapes import Circle, Square, make
import shapes


class Engine:
    def __init__(self, size):
        self.size = size
        self.starter = self.ignite

    def ignite(self):
        return self.size

    def start(self):
        return self.starter()


class Car:
    wheels = 4

    def __init__(self, engine=None):
        self.engine = engine or Engine(2)
        self.on_stop = None
        self.on_stop = report

    def drive(self):
        self.engine.start()
        return self.park

    def park(self):
        self.on_stop()
        return self

    @classmethod
    def build(cls):
        return cls(Engine(3))

    @staticmethod
    def check(car):
        return car.drive()

    @property
    def motor(self):
        return self.engine

    class Key:
        def turn(self):
            return Car.check(Car())


class Empty:
    pass


def report():
    return "stopped"


car = Car()
car.drive()()
Car.build().motor.ignite()
Car.Key().turn()
Car.drive(car)
Empty()
shape = Circle(1)
shape.area()
shapes.Square(2).area()
make("circle").describe()
Square.unit().area()


class Handler:
    def __call__(self, x):
        return x

    def __getitem__(self, key):
        return report


handler = Handler()
handler(1)
handler.extra = report
handler.extra()
