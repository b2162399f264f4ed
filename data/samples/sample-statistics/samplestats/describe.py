import math


def mean(values):
    return math.fsum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def variance(values):
    """The variance of a sample, by Welford's recurrence."""
    average, squares = 0.0, 0.0
    for count, value in enumerate(values, start=1):
        change = value - average
        average += change / count
        squares += change * (value - average)
    if len(values) < 2:
        raise ValueError("two values are needed")
    return squares / (len(values) - 1)


def quantile(values, share):
    ordered = sorted(values)
    position = (len(ordered) - 1) * share
    below = math.floor(position)
    above = math.ceil(position)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def histogram(values, bins):
    low, high = min(values), max(values)
    width = (high - low) / bins or 1
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / width), bins - 1)] += 1
    return counts


def pearson(xs, ys):
    mean_x, mean_y = mean(xs), mean(ys)
    top = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    return top / math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))
