import asyncio
import unittest

import pytest

from limiter.bucket import TokenBucket
from limiter.guard import RateExceeded, gather_limited, limited


def test_limited(bucket):
    @limited(bucket)
    def answer():
        return 42

    assert [answer(), answer(), answer()] == [42, 42, 42]
    with pytest.raises(RateExceeded):
        answer()


def test_gather_limited(bucket):
    async def one():
        return 1

    assert asyncio.run(gather_limited(bucket, [one, one])) == [1, 1]


class GuardTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.open = TokenBucket(rate=1000, burst=10)

    async def test_order_is_kept(self):
        async def first():
            return "first"

        async def second():
            return "second"

        results = await gather_limited(self.open, [first, second])
        self.assertEqual(results, ["first", "second"])
