"""Environments and task sets of CLOVER's repositories. Called by scripts/clover_repositories, which see."""

import argparse
import datetime
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

from real_runs import find_clone

CUT_OFF = "2024-08-30"
# The repositories that the paper names in its appendix A.
USED = """
    encode/httpx encode/starlette psf/requests pallets/flask pallets/jinja elastic/elasticsearch-py paramiko/paramiko
    celery/kombu pypa/pip python-pillow/Pillow pylint-dev/pylint sqlalchemy/sqlalchemy
""".split()
TRIED = """
    python-hyper/h2 alecthomas/voluptuous docker/docker-py jquast/blessed django/channels postmanlabs/httpbin
    boto/boto3 prompt-toolkit/python-prompt-toolkit MongoEngine/mongoengine psf/requests-html psf/black
    pytest-dev/pytest ipython/ipython scrapy/scrapy celery/celery sphinx-doc/sphinx aio-libs/aiohttp zeromq/pyzmq
    facebookresearch/fastText twisted/twisted apache/libcloud ansible/ansible DataDog/dd-trace-py saltstack/salt
    googleapis/google-api-python-client scikit-learn/scikit-learn matplotlib/matplotlib numpy/numpy pandas-dev/pandas
""".split()
# Sizes of its three tasks, from its table 2: examples out of what was available.
PUBLISHED = {"I": (513, 14952), "II": (151, 184), "III": (181, 1098)}
BUILD_SECONDS = 2400
BULK = ["repository", "venv", "tools"]


class Repository:
    """One folder of results. Its parts are made one after the other, each left alone where it is there."""

    def __init__(self, options, name):
        self.options = options
        self.name = name
        self.folder = options.out / name.replace("/", "+")
        self.environment = self.folder / "environment"
        self.log = self.folder / "log"

    def call(self, *words, seconds=None):
        """Runs the program, what it says to the log. Its exit code, or nothing where it took longer."""
        with open(self.log, "ab") as log:
            log.write(f"+ trefoil {' '.join(map(str, words))}\n".encode())
            log.flush()
            try:
                command = [self.options.program, *map(str, words)]
                done = subprocess.run(command, stdout=log, stderr=log, timeout=seconds)
            except subprocess.TimeoutExpired:
                return None
        return done.returncode

    def outcome(self):
        path = self.folder / "outcome.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def build(self):
        """Builds the environment at the last commit before the paper's cut-off and tries the suite."""
        if self.outcome() is not None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.environment, ignore_errors=True)
        clone = find_clone(self.options.clones, self.name)
        row = {"repository": self.name, "built": False}
        if clone is None:
            # No outcome is kept: the next run looks again.
            print(f"{self.name}: no clone in {self.options.clones}", flush=True)
            return
        # A date alone would mean the present time of that day.
        before = ["git", "-C", clone, "log", "-1", "--format=%H %cs", f"--before={CUT_OFF}T00:00:00Z", "HEAD"]
        found = subprocess.run(before, capture_output=True, text=True).stdout.split()
        if not found:
            row["reason"] = "no_commit_before_cut_off"
        else:
            commit, date = found
            begun = time.monotonic()
            code = self.call(
                *("environment", "build", clone, "--commit", commit, "--output", self.environment),
                *("--exclude-newer", day_after(date), "--host", "github.com", "--name", self.name),
                *("--suite-seconds", self.options.suite_seconds),
                seconds=BUILD_SECONDS,
            )
            path = self.environment / "outcome.json"
            if path.exists():
                row = json.loads(path.read_text(encoding="utf-8"))
            else:
                row.update(commit=commit, reason="build_stopped_for_its_time" if code is None else "build_failed")
            row["seconds"] = round(time.monotonic() - begun)
        (self.folder / "outcome.json").write_text(json.dumps(row, indent=1), encoding="utf-8")

    def tidy(self):
        """Removes what takes room where only the outcome is wanted."""
        for part in BULK:
            shutil.rmtree(self.environment / part, ignore_errors=True)

    def task_set(self):
        """Cuts the tests out, finds their lines and makes the tasks."""
        outcome = self.outcome()
        if outcome is None or not outcome["built"] or (self.folder / "tasks/summary.json").exists():
            return
        jobs = ["--jobs", self.options.jobs]
        once = ["--once"] if self.options.once else []
        problems = (self.environment / "problems.jsonl").exists() or 0 == self.call(
            "environment", "problems", self.environment, *jobs, *once
        )
        lines = problems and 0 == self.call("environment", "cov", self.environment, *jobs)
        if lines:
            tokenizer = ["--tokenizer", self.options.tokenizer]
            self.call("clover", self.environment, *tokenizer, "--output", self.folder / "tasks")

    def summary(self):
        path = self.folder / "tasks/summary.json"
        return json.loads(path.read_text(encoding="utf-8"))[0] if path.exists() else None


def day_after(date):
    """What came out on the day of the commit counts."""
    return str(datetime.date.fromisoformat(date) + datetime.timedelta(days=1))


def table(repositories):
    """One line a repository, and the sums beside the paper's."""
    lines = ["| repository | Python | outcome | passed | failed | errors | skipped | seconds | I | II | III |", "|" + "---|" * 11]
    sums = {task: [0, 0] for task in PUBLISHED}
    outcomes = [repository.outcome() for repository in repositories]
    for repository, row in zip(repositories, outcomes):
        if row is None:
            continue
        word = "built" if row["built"] else row["reason"]
        if row["built"] and not row.get("finished", True):
            word = "built, suite stopped for its time"
        counts = [str(row.get(name, "")) for name in ("passed", "failed", "errors", "skipped", "seconds")]
        tasks = (repository.summary() or {}).get("tasks", {})
        cells = []
        for task, sum_of in sums.items():
            own = tasks.get(task)
            cells.append(f"{own['examples']} of {own['available']}" if own else "")
            if own:
                sum_of[0] += own["examples"]
                sum_of[1] += own["available"]
        lines.append(f"| {' | '.join([repository.name, row.get('python', ''), word, *counts, *cells])} |")
    published = [f"{examples} of {available}" for examples, available in PUBLISHED.values()]
    own = [f"{examples} of {available}" for examples, available in sums.values()]
    tried = [row for row in outcomes if row is not None]
    built = sum(row["built"] for row in tried)
    lines.append(f"| together | | {built} built of {len(tried)} tried | | | | | | {' | '.join(own)} |")
    lines.append(f"| the paper | | 25 built of 42 tried | | | | | | {' | '.join(published)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="clover_repositories", description=__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("names", nargs="*", metavar="owner/name", help="default: all that the paper names")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="tests at a time")
    parser.add_argument("--suite-seconds", type=int, default=300, help="how long the trial of a suite may take")
    parser.add_argument("--once", action="store_true", help="repeat no test to find out whether its answer changes")
    parser.add_argument("--build-only", action="store_true", help="make no task sets")
    parser.add_argument("--table", action="store_true", help="do nothing, print the table of what is there")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.names or USED + TRIED
    repositories = [Repository(options, name) for name in names]
    for repository in repositories if not options.table else []:
        repository.build()
        if repository.name in USED and not options.build_only:
            repository.task_set()
        elif repository.name not in USED:
            repository.tidy()
        row = repository.outcome()
        if row is not None:
            print(f"{repository.name}: {'built' if row['built'] else row['reason']}", flush=True)
    print(table(repositories))


if __name__ == "__main__":
    main()
