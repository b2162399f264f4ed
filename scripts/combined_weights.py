"""The weights of the mode `combined`: how they are found, and how good they are on tests that they had not seen.

A logistic regression over the candidates of labelled tests, each language with the same say, and Platt's calibration
over the likeliest candidates of tests judged by weights that were found without their repository: what is usual in a
repository is evidence, so that other tests of the same one make weights look surer than they are elsewhere. An
isotonic map does worse with so few labels. Plain Python: there are a few thousand candidates.
"""

import collections
import csv
import hashlib
import math
import re
import tomllib

import real_runs

SOURCE = real_runs.ROOT / "stages/src/matching/combined"
# Chosen by the likelihood of unseen tests among 0.3, 0.5, 1, 2 and 4.
RIDGE = 2.0
FOLDS = 10
BINS = [0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]


class Test:
    """A labelled test with the evidence for its candidates and whether each is right."""

    def __init__(self, language, repository, identity):
        self.language, self.repository, self.identity = language, repository, identity
        self.evidence, self.right, self.has_focal = [], [], False

    def fold(self):
        return int(hashlib.sha256(self.identity.encode()).hexdigest(), 16) % FOLDS


def evidence_names():
    text = (SOURCE / "evidence.rs").read_text(encoding="utf-8")
    block = re.search(r"NAMES: \[&str; \d+\] = \[(.*?)\];", text, re.S)
    return re.findall(r'"(\w+)"', block.group(1))


def evidence_of(text, names):
    """`name_share 0.50, asserted` as a list in the order of the names."""
    told = dict.fromkeys(names, 0.0)
    for part in filter(None, text.split(", ")):
        name, _, value = part.partition(" ")
        told[name] = float(value or 1)
    return list(told.values())


def read(path, names, without=()):
    """The tests of a file of candidates, by the order of their ids."""
    tests = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            identity = row["test_id"]
            test = tests.setdefault(identity, Test(row["language"], row["repository"], identity))
            test.has_focal = int(row["labelled"]) > 0
            if row["focal_name"]:
                told = zip(names, evidence_of(row["evidence"], names))
                test.evidence.append([0.0 if name in without else value for name, value in told])
                test.right.append(int(row["right_function"]))
    return sorted(tests.values(), key=lambda test: test.identity)


def solve(matrix, vector):
    """Gauss's elimination of a symmetric, positive definite matrix."""
    size = len(vector)
    rows = [[*row, value] for row, value in zip(matrix, vector)]
    for at in range(size):
        pivot = rows[at][at]
        for below in range(at + 1, size):
            factor = rows[below][at] / pivot
            if factor:
                rows[below] = [a - factor * b for a, b in zip(rows[below], rows[at])]
    answer = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][other] * answer[other] for other in range(at + 1, size))
        answer[at] = (rows[at][size] - known) / rows[at][at]
    return answer


def probability(number):
    return 1 / (1 + math.exp(-max(-35.0, min(35.0, number))))


def regression(points, ridge, start=None):
    """Weights of a logistic regression by Newton's method over (numbers, answer, weight); the first is the base."""
    size = len(points[0][0])
    weights = list(start or [0.0] * size)
    penalty = [1e-3] + [ridge] * (size - 1)
    for _ in range(50):
        gradient = [p * w for p, w in zip(penalty, weights)]
        hessian = [[0.0] * size for _ in range(size)]
        for numbers, answer, weight in points:
            told = [(at, number) for at, number in enumerate(numbers) if number]
            p = probability(sum(weights[at] * number for at, number in told))
            error, curve = weight * (p - answer), weight * p * (1 - p) + 1e-9
            for place, (at, number) in enumerate(told):
                gradient[at] += error * number
                row, scaled = hessian[at], curve * number
                for other, value in told[place:]:
                    row[other] += scaled * value
        for at in range(size):
            for other in range(at):
                hessian[at][other] = hessian[other][at]
            hessian[at][at] += penalty[at]
        step = solve(hessian, gradient)
        weights = [weight - change for weight, change in zip(weights, step)]
        if max(map(abs, step)) < 1e-6:
            break
    return weights


def fit(tests, start=None):
    """Base and weights; every language has the same say, since each has its own number of labels."""
    sizes = collections.Counter(test.language for test in tests)
    points = [
        ([1.0, *evidence], right, 1 / sizes[test.language])
        for test in tests
        for evidence, right in zip(test.evidence, test.right)
    ]
    mean = sum(weight for *_, weight in points) / len(points)
    return regression([(numbers, right, weight / mean) for numbers, right, weight in points], RIDGE, start)


def sums(weights, test):
    return [weights[0] + sum(w * e for w, e in zip(weights[1:], evidence)) for evidence in test.evidence]


def unseen(tests, fold_of, start):
    """The sums of each test by the weights of the folds that it is not in."""
    answers = {}
    for fold in sorted({fold_of(test) for test in tests}):
        weights = fit([test for test in tests if fold_of(test) != fold], start)
        answers.update((test.identity, sums(weights, test)) for test in tests if fold_of(test) == fold)
    return answers


def likeliest(tests, answers):
    """For each test with candidates: the test, the greatest sum and whether that candidate is right."""
    for test in tests:
        own = answers[test.identity]
        if own:
            at = max(range(len(own)), key=own.__getitem__)
            yield test, own[at], test.right[at]


def calibration(tests, answers):
    """Slope and offset of what a sum means (Platt), over the likeliest candidates."""
    points = [([1.0, number], right, 1.0) for _, number, right in likeliest(tests, answers)]
    offset, slope = regression(points, 1e-6)
    return slope, offset


def print_unseen(tests, weights=None):
    """What `combined` would answer to tests that had no part in finding its weights; answers the calibration."""
    weights = weights or fit(tests)
    by_test = unseen(tests, Test.fold, weights)
    repositories = {test.repository for test in tests}
    by_repository = unseen(tests, lambda test: test.repository, weights) if len(repositories) > 1 else by_test
    scale = calibration(tests, by_repository)
    print_scores(f"combined, unseen tests ({FOLDS} folds)", tests, by_test, lambda _: scale)
    if len(repositories) > 1:
        # Nor did the repository help to find what the sums of its tests mean.
        scales = {
            name: calibration([test for test in tests if test.repository != name], by_repository)
            for name in repositories
        }
        title = "combined, unseen repositories (a fold each)"
        print_scores(title, tests, by_repository, lambda test: scales[test.repository])
    return scale


def minimum_confidence():
    text = (real_runs.ROOT / "configs/default.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["matching"]["combined"]["minimum_confidence"]


def print_scores(title, tests, answers, scale_of):
    """Precision and recall by language, the likelihood, and the shares of right answers by confidence."""
    minimum = minimum_confidence()
    loss = 0.0
    for test in tests:
        for number, right in zip(answers[test.identity], test.right):
            p = min(max(probability(number), 1e-4), 1 - 1e-4)
            loss -= math.log(p if right else 1 - p)
    print(f"\n{title}; {loss / len(tests):.4f} is lost a test\n{'':<14}{'tests':>6}{'answered':>10}{'precision':>11}{'recall':>8}")
    bins = [[0, 0.0, 0] for _ in BINS[1:]]
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])
    for test in tests:
        for key in (test.language, "all"):
            counts[key][0] += 1
            counts[key][1] += test.has_focal
    for test, number, right in likeliest(tests, answers):
        slope, offset = scale_of(test)
        p = probability(slope * number + offset)
        at = next(at for at, end in enumerate(BINS[1:]) if p < end or end == 1.0)
        bins[at] = [bins[at][0] + 1, bins[at][1] + p, bins[at][2] + right]
        if p >= minimum:
            for key in (test.language, "all"):
                counts[key][2] += 1
                counts[key][3] += right
    for language, (number, focal, answered, right) in sorted(counts.items(), key=lambda item: (item[0] == "all", item)):
        print(f"{language:<14}{number:>6}{answered:>10}{right / max(1, answered):>11.2f}{right / max(1, focal):>8.2f}")
    print(f"{'confidence':<14}{'tests':>6}{'on average':>12}{'right':>8}")
    for start, end, (number, total, right) in zip(BINS, BINS[1:], bins):
        if number:
            print(f"{start:.2f} to {end:.2f}  {number:>6}{total / number:>12.2f}{right / number:>8.2f}")
