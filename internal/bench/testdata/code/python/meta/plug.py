def entry():
    return 1


def second():
    return entry()
