import cycle_a


def pong(n):
    if n > 0:
        return cycle_a.ping(n - 1)
