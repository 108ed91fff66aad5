import cycle_b


def ping(n):
    return cycle_b.pong(n - 1)
