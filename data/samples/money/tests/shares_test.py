"""Named after pytest's other pattern for test files."""

import pytest

from money import allocate_cents, round_half_even


def test_allocate_cents():
    assert allocate_cents(100, [1, 1, 1]) == [34, 33, 33]
    assert sum(allocate_cents(999, [5, 3, 1])) == 999


@pytest.mark.parametrize(
    ("numerator", "denominator", "expected"),
    [(5, 2, 2), (7, 2, 4), (10, 3, 3), (11, 3, 4)],
)
def test_round_half_even(numerator, denominator, expected):
    assert round_half_even(numerator, denominator) == expected


def test_ratios_must_not_be_empty():
    with pytest.raises(ValueError):
        allocate_cents(1, [])
