from __future__ import annotations
from typing import Optional, Union, Generic, TypeVar, Iterable, Callable, Type, TYPE_CHECKING

if TYPE_CHECKING:
    from models import User

T = TypeVar("T")


class Repo(Generic[T]):
    def __init__(self, items: list[T]):
        self.items = items

    def first(self) -> T:
        return self.items[0]

    def all(self) -> Iterable[T]:
        return self.items


class Cat:
    def meow(self):
        return 1


class Dog:
    def bark(self):
        return 1

    def friend(self) -> Cat:
        return Cat()


def handle(pet: Union[Cat, Dog]):
    if isinstance(pet, Cat):
        pet.meow()
    else:
        pet.bark()


def maybe(d: Optional[Dog] = None):
    if d:
        d.friend().meow()


def make(kind: Type[Dog]) -> Dog:
    return kind()


def show(user: User):
    return user.display()


def apply(f: Callable[[int], Dog]) -> Dog:
    return f(1)


def produce(n: int) -> Dog:
    return Dog()


def entry():
    from models import User
    show(User("a"))


repo: Repo[Dog] = Repo([Dog()])
repo.first().bark()
for dog in repo.all():
    dog.bark()
handle(Cat())
handle(Dog())
maybe(Dog())
make(Dog).bark()
entry()
apply(produce).bark()
x: "Dog" = produce(1)
x.bark()
