import pytest

from samplestats import describe

SAMPLE = [2, 4, 4, 4, 5, 5, 7, 9]


def test_mean():
    assert describe.mean(SAMPLE) == 5


def test_median():
    assert describe.median([3, 1, 2]) == 2
    assert describe.median(SAMPLE) == 4.5


def test_variance():
    assert describe.variance(SAMPLE) == pytest.approx(32 / 7)
    with pytest.raises(ValueError):
        describe.variance([1])


def test_quantile():
    assert describe.quantile(SAMPLE, 0) == min(SAMPLE)
    assert describe.quantile([1, 2], 0.25) == 1.25


def test_histogram():
    assert describe.histogram([0, 1, 2, 9], 3) == [3, 0, 1]
    assert sum(describe.histogram(SAMPLE, 4)) == len(SAMPLE)


def test_pearson():
    xs = [1, 2, 3]
    assert describe.pearson(xs, [2, 4, 6]) == pytest.approx(1)
    assert describe.pearson(xs, [3, 2, 1]) == pytest.approx(-1)


def test_mean_lies_between_the_extremes():
    assert min(SAMPLE) <= describe.mean(SAMPLE) <= max(SAMPLE)
