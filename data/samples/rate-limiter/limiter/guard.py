import functools


class RateExceeded(Exception):
    pass


def limited(bucket):
    """Decorator: calls beyond the rate raise instead of running."""

    def decorate(function):
        @functools.wraps(function)
        def guarded(*args, **kwargs):
            if not bucket.try_acquire():
                raise RateExceeded(function.__name__)
            return function(*args, **kwargs)

        return guarded

    return decorate


async def gather_limited(bucket, jobs):
    """Run coroutine functions one after the other, each when the bucket allows it."""
    results = []
    for job in jobs:
        await bucket.acquire()
        results.append(await job())
    return results
