from money.amount import Amount, CurrencyMismatch
from money.shares import allocate_cents, round_half_even

__all__ = ["Amount", "CurrencyMismatch", "allocate_cents", "round_half_even"]
