import asyncio

import pytest

from limiter.bucket import SlidingWindow, TokenBucket


@pytest.fixture
def window(clock):
    return SlidingWindow(limit=2, seconds=10, clock=clock)


def test_try_acquire(bucket):
    assert [bucket.try_acquire() for _ in range(4)] == [True, True, True, False]


def test_refill(bucket, clock):
    bucket.try_acquire(3)
    clock.advance(1)
    bucket.refill()
    assert bucket.tokens == 2


def test_time_until(bucket, clock):
    bucket.try_acquire(3)
    assert bucket.time_until(1) == pytest.approx(0.5)
    clock.advance(0.25)
    assert bucket.time_until(1) == pytest.approx(0.25)


def test_acquire(bucket, clock):
    async def sleep(seconds):
        clock.advance(seconds)

    bucket.try_acquire(3)
    asyncio.run(bucket.acquire(2, sleep=sleep))
    assert clock.now == pytest.approx(1)


def test_reset(bucket):
    bucket.try_acquire(3)
    bucket.reset()
    assert bucket.tokens == 3


def test_record(window):
    assert window.record()
    assert window.record()
    assert not window.record()


def test_expire(window, clock):
    window.record()
    clock.advance(10)
    window.expire()
    assert len(window.events) == 0


@pytest.mark.parametrize("rate", [0, -1])
def test_rate_must_be_positive(rate):
    with pytest.raises(ValueError):
        TokenBucket(rate=rate, burst=1)
