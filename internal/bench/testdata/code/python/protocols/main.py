"""Abstract classes, protocols, enums, async, dataclasses."""
import abc
import asyncio
from dataclasses import dataclass, field
from enum import Enum
from typing import List, Optional, Protocol
from store import Store, MemoryStore, open_store


class Speaker(abc.ABC):
    @abc.abstractmethod
    def speak(self): ...

    def twice(self):
        self.speak()
        return self.speak()


class Dog(Speaker):
    def speak(self):
        return "woof"


class Cat(Speaker):
    def speak(self):
        return "meow"


def concert(speakers: List[Speaker]):
    for s in speakers:
        s.speak()


class Runs(Protocol):
    def run(self) -> int: ...


class Job:
    def run(self) -> int:
        return self.helper()

    def helper(self):
        return 1


def execute(runner: Runs):
    return runner.run()


@dataclass
class Team:
    lead: Dog
    members: List[Cat] = field(default_factory=list)

    def call_all(self):
        self.lead.speak()
        for member in self.members:
            member.speak()


class Level(Enum):
    LOW = 1
    HIGH = 2

    def label(self):
        return self.name


async def fetch():
    return Job()


async def main():
    job = await fetch()
    job.run()
    Level.LOW.label()


def save(store: Optional[Store]):
    if store is not None:
        store.put("k")


concert([Dog(), Cat()])
Dog().twice()
Cat().twice()
execute(Job())
team = Team(Dog(), [Cat()])
team.call_all()
asyncio.run(main())
save(open_store())
save(MemoryStore())
