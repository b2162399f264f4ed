"""One run over the labelled repositories, for the scripts that hold what comes out against the labels."""

import csv
import sys
from pathlib import Path

import real_runs

LABELS = real_runs.ROOT / "data/labels"
# Labels that do not name their repository, by the file's name.
PINNED = {"commons-lang.csv": {"name": "apache/commons-lang", "revision": "LANG_3_7"}}
# Every candidate of a test is written down, so that weights can be fitted to them.
SETTINGS = {"combined": {"candidates": 1000}}


def add_arguments(parser):
    parser.add_argument("clones", type=Path, help="directory of bare clones")
    parser.add_argument("--labels", type=Path, nargs="+", help="files of labels (default: all of data/labels)")
    parser.add_argument("--json", type=Path, help="write the table of the modes to this file, too")
    parser.add_argument(
        "--runs", type=Path, default=real_runs.ROOT / "data/runs", help="where the run goes (default: data/runs)"
    )


def repositories_of(labels):
    """The repositories of a file of labels, each at the commit that the labels are for."""
    if labels.name in PINNED:
        return [PINNED[labels.name]]
    with labels.open(encoding="utf-8", newline="") as file:
        rows = [(row.get("repository"), row.get("commit")) for row in csv.DictReader(file)]
    if not all(name and commit for name, commit in rows):
        sys.exit(f"{labels}: the columns `repository` and `commit` must be filled")
    return [{"name": name, "revision": commit} for name, commit in dict.fromkeys(rows)]


def evaluate(program, options):
    """Makes the run and prints how every mode does; answers the file of candidates and an exit code."""
    if not options.clones.is_dir():
        sys.exit(f"{program}: {options.clones} is not a directory")
    labels = [path.resolve() for path in options.labels or sorted(LABELS.rglob("*.csv"))]
    missing = [path for path in labels if not path.is_file()]
    if missing:
        sys.exit(f"{program}: {missing[0]} is not a file")
    wanted = [repository for path in labels for repository in repositories_of(path)]
    found = [(repository, real_runs.find_clone(options.clones, repository["name"])) for repository in wanted]
    lost = [repository["name"] for repository, path in found if path is None]
    for name in lost:
        print(f"{program}: no clone of {name} in {options.clones}", file=sys.stderr)
    found = [(repository, path) for repository, path in found if path is not None]
    runs = options.runs.resolve()
    output = real_runs.run("accuracy", runs, found, {}, SETTINGS) if found else None
    if output is None:
        sys.exit(f"{program}: there is no run to measure")
    candidates = runs / "accuracy-candidates.csv"
    more = ["--json", options.json.resolve()] if options.json else []
    code = real_runs.trefoil(
        "evaluate", "matching", output, "--labels", *labels, "--candidates", candidates, *more
    )
    if code not in (0, 1):
        sys.exit(code)
    return candidates, code or (1 if lost else 0)
