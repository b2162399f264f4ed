"""UniTSyn's collector against ours on the same repositories. Called by scripts/bench_unitsyn, which see."""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import export, find_clones

# Runs inside the collector's own folder: tests and focal calls of one tree, counted. Its command line is not
# used, since that of Python fails after collecting the tests.
COLLECT = """
import sys
from pathlib import Path
language, tree, scratch = sys.argv[1:]
root, name = str(Path(tree).parent), Path(tree).name
if language == "python":
    sys.path.insert(0, "frontend/python")
    import collect_focal_org, collect_test
    print(collect_test.collect_from_repo(name, root, scratch), end=" ")
    print(collect_focal_org.collect_from_repo(name, root, scratch, scratch + "/focal"))
else:
    import importlib
    collect = importlib.import_module(f"frontend.{language}.collect_all")
    print(collect.collect_from_repo(name, root, scratch, scratch))
"""

# The rule of the collector alone, as it has no other.
MODES = "".join(f'{language} = "unitsyn"\n' for language in ("csharp", "go", "java", "javascript", "python"))
SAME_RULE = f'[matching]\nvotes = "chosen"\n[matching.modes]\n{MODES}'


def cpu_of(command, **options):
    """Runs a command; answers its CPU seconds and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"bench_unitsyn: {command[0]} failed:\n{done.stderr}{done.stdout}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def ours(program, clone, folder, settings=""):
    """CPU seconds up to matching, those of the whole run, and the number of tests."""
    config, timings = folder / "bench.toml", folder / "timings.json"
    shutil.rmtree(folder / "run", ignore_errors=True)
    config.write_text(
        f"[run]\noutput = {json.dumps(str(folder / 'run'))}\nshards = 1\n"
        f"[[repositories]]\nlocation = {json.dumps(str(clone))}\n{settings}"
    )
    everything, _ = cpu_of([program, "run", config, "--timings", timings, "--jobs", "1"])
    stages = {stage["stage"]: stage["cpu_seconds"] for stage in json.loads(timings.read_text())["stages"]}
    report = json.loads((folder / "run/report.json").read_text())
    tests = sum(funnel["test_cases"] for funnel in report["languages"].values())
    return stages["cloning"] + stages["parsing"] + stages["matching"], everything, tests


def measure(options, collector, language, clone, temporary):
    """Both on one repository, in turn; prints medians of the rounds."""
    tree, scratch = temporary / "tree", temporary / "scratch"
    export(clone, tree)
    command = [sys.executable, "-c", COLLECT, language, str(tree), str(scratch)]
    environment = {**os.environ, "PYTHONPATH": str(collector)}
    rounds = []
    for _ in range(options.times):
        shutil.rmtree(scratch, ignore_errors=True)
        (scratch / "focal").mkdir(parents=True)
        theirs, counts = cpu_of(command, cwd=collector, env=environment)
        same_rule, _, _ = ours(options.program, clone, temporary, SAME_RULE)
        every_mode, whole_run, tests = ours(options.program, clone, temporary)
        rounds.append((theirs, same_rule, theirs / same_rule, every_mode, theirs / every_mode, whole_run))
    name = clone.parent.name if clone.name in ("repo", ".git") else clone.name
    theirs, same_rule, same_ratio, every_mode, ratio, whole_run = map(statistics.median, zip(*rounds))
    print(
        f"{name:<28}{theirs:>14.2f}{same_rule:>11.2f}{same_ratio:>7.1f}{every_mode:>12.2f}{ratio:>7.1f}"
        f"{whole_run:>11.2f}   {tests}, {counts.strip().splitlines()[-1]}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(prog="bench_unitsyn", description=__doc__)
    parser.add_argument("unitsyn", type=Path)
    parser.add_argument("repositories", nargs="+", help="LANGUAGE CLONE pairs")
    parser.add_argument("--times", type=int, default=5, help="rounds, of which the median counts (5)")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    pairs = list(zip(options.repositories[::2], options.repositories[1::2]))
    with tempfile.TemporaryDirectory(prefix="trefoil-unitsyn-") as temporary:
        collector = Path(temporary) / "unitsyn"
        export(find_clones([options.unitsyn])[0], collector)
        print(
            f"{'repository':<28}{'UniTSyn CPU s':>14}{'same rule':>11}{'times':>7}{'every mode':>12}{'times':>7}"
            f"{'whole run':>11}   tests (ours), UniTSyn's counts"
        )
        for number, (language, clone) in enumerate(pairs):
            folder = Path(temporary) / str(number)
            folder.mkdir()
            measure(options, collector, language, find_clones([Path(clone)])[0], folder)


if __name__ == "__main__":
    main()
