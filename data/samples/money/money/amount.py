from __future__ import annotations

import functools
from dataclasses import dataclass

SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£"}


class CurrencyMismatch(TypeError):
    pass


def same_currency(method):
    """Refuse operands of another currency."""

    @functools.wraps(method)
    def checked(self, other):
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")
        return method(self, other)

    return checked


@dataclass(frozen=True)
class Amount:
    cents: int
    currency: str = "EUR"

    @classmethod
    def from_text(cls, text: str) -> Amount:
        number, currency = text.split()
        whole, _, part = number.partition(".")
        sign = -1 if whole.startswith("-") else 1
        return cls(int(whole) * 100 + sign * int((part + "00")[:2]), currency)

    @same_currency
    def plus(self, other: Amount) -> Amount:
        return Amount(self.cents + other.cents, self.currency)

    @same_currency
    def minus(self, other: Amount) -> Amount:
        return Amount(self.cents - other.cents, self.currency)

    def times(self, factor: int) -> Amount:
        return Amount(self.cents * factor, self.currency)

    @property
    def symbol(self) -> str:
        return SYMBOLS.get(self.currency, self.currency)

    @staticmethod
    def is_currency(code: str) -> bool:
        return len(code) == 3 and code.isalpha() and code.isupper()

    def display(self) -> str:
        sign = "-" if self.cents < 0 else ""
        return f"{sign}{self.symbol}{abs(self.cents) // 100}.{abs(self.cents) % 100:02d}"
