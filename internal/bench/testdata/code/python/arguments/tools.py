def run_twice(job):
    job()
    return again(job)


def again(work):
    return work()


def run_named(job=None):
    if job:
        job()
