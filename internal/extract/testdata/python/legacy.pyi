from typing import overload

def parse(text: str) -> int: ...

class Reader:
    size: int
    @overload
    def read(self) -> str: ...
    @overload
    def read(self, n: int) -> bytes: ...
