class AppError(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code

    def describe(self):
        return "code"


class NotFound(AppError):
    def describe(self):
        return "nf " + super().describe()


class Silent(Exception):
    def note(self):
        return 1


def find(key):
    if key == "x":
        raise NotFound(404)
    if key == "y":
        raise Silent()
    return key


def safe(key):
    try:
        return find(key)
    except AppError as err:
        return err.describe()
    except (Silent, KeyError) as err:
        return err.note()
    else:
        return cleanup()
    finally:
        cleanup()


def cleanup():
    return None


def rethrow():
    try:
        find("x")
    except NotFound as e:
        raise wrap(e) from e


def wrap(e):
    e.describe()
    return AppError(1)


safe("x")
safe("y")
safe("z")
try:
    rethrow()
except AppError as outer:
    outer.describe()
