"""Token bucket and sliding window, both driven by a clock that tests can replace."""

import asyncio
import time
from collections import deque


class TokenBucket:
    def __init__(self, rate, burst, clock=time.monotonic):
        if rate <= 0:
            raise ValueError("the rate must be positive")
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.tokens = burst
        self.updated = clock()

    def refill(self):
        now = self.clock()
        self.tokens = min(self.burst, self.tokens + (now - self.updated) * self.rate)
        self.updated = now

    def try_acquire(self, amount=1):
        self.refill()
        if self.tokens < amount:
            return False
        self.tokens -= amount
        return True

    def time_until(self, amount):
        """Seconds until that many tokens are there."""
        self.refill()
        return max(0.0, (amount - self.tokens) / self.rate)

    async def acquire(self, amount=1, sleep=asyncio.sleep):
        while not self.try_acquire(amount):
            await sleep(self.time_until(amount))

    def reset(self):
        self.tokens = self.burst


class SlidingWindow:
    def __init__(self, limit, seconds, clock=time.monotonic):
        self.limit = limit
        self.seconds = seconds
        self.clock = clock
        self.events = deque()

    def expire(self):
        start = self.clock() - self.seconds
        while self.events and self.events[0] <= start:
            self.events.popleft()

    def record(self):
        self.expire()
        if len(self.events) >= self.limit:
            return False
        self.events.append(self.clock())
        return True

    def reset(self):
        self.events.clear()
