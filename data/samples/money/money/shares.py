def allocate_cents(cents, ratios):
    """Split an amount by ratios without losing a cent; the first shares get the rest."""
    total = sum(ratios)
    if total <= 0:
        raise ValueError("the ratios must sum to more than nothing")
    shares = [cents * ratio // total for ratio in ratios]
    for position in range(cents - sum(shares)):
        shares[position] += 1
    return shares


def round_half_even(numerator, denominator):
    """Divide and round; a tie goes to the even neighbour."""
    quotient, rest = divmod(numerator, denominator)
    twice = 2 * rest
    if twice > denominator or (twice == denominator and quotient % 2):
        quotient += 1
    return quotient
