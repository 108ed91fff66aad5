type Pair[A, B] = tuple[A, B]
Alias: TypeAlias = dict[str, int]


class Stack[T: int](Sequence[T]):
    def push[U](self, item: T, other: U | None = None) -> Stack[T]:
        self.items: list[T] = [item]
        return self


def handle(event):
    match event.kind(), event:
        case Point(x=0, y=yy) if yy.ok():
            yy()
        case [head, *tail] | (head, tail):
            head(tail)
        case {"name": name, **rest}:
            name(rest)
        case Stack() as s:
            s.push(1)
        case colors.RED | "x" | 3:
            pass
        case str(value) as text:
            value(text)
        case _:
            other()


async def collect(source):
    async with source.session() as session, open("f"):
        async for row in session.rows():
            yield row
    found = [await one(r) async for r in source if (last := r)]
    last.stop()
    try:
        pass
    except* Group as g:
        g.split()


x: Annotated[int, Field(gt=check())] = 1


def typed(a: Annotated[int, Depends(get)], f: Callable[[int], str]) -> Annotated[str, Mark()]:
    return f(a)
