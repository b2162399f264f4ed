"""Originals, empty answers and a killed evaluation of a data set of CLOVER. Called by scripts/check_clover, which see."""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet

COLUMNS = ["id", "task", "template", "file_before", "original", "file_after", "reference", "question"]


def rows(dataset):
    found = []
    for task in (1, 2, 3):
        path = dataset / f"data/task_{task}-00000-of-00001.parquet"
        found += pyarrow.parquet.read_table(path, columns=COLUMNS).to_pylist()
    return sorted(found, key=lambda row: row["id"])


def original(row):
    """What a model would reply that gives the original."""
    before, after = (row["file_before"], row["file_after"]) if row["template"] == "full" else ("", "")
    return f"```python\n{before}{row['original']}{after}\n```"


def trivial(row):
    """What passes and says nothing."""
    return "assert True" if row["task"] == "I" else "    assert True"


class Evaluation:
    def __init__(self, options, rows, folder):
        self.options, self.rows, self.folder = options, rows, folder

    def start(self, name, output, reply, rows=None):
        file = self.folder / f"{name}.jsonl"
        lines = ({"instance_id": row["id"], "prediction": reply(row)} for row in rows or self.rows)
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        words = ["evaluate", "clover", self.options.dataset, "--predictions", file, "--output", self.folder / output]
        command = [self.options.program, *words, "--environments", *self.options.environments]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def lines(self, output):
        return json.loads((self.folder / output / "report.json").read_text(encoding="utf-8"))["lines"]

    def score(self, name, reply, wanted):
        """Whether every row scores what is wanted."""
        self.start(name, name, reply).wait()
        lines = self.lines(name)
        wrong = [line for line in lines if line["infrastructure"] or line["missing"]]
        for kind in ("success", "executed", "exact"):
            wrong += [line for line in lines if line[kind] not in (None, wanted)]
        judged = sum(line["judged"] for line in lines)
        print(f"{name}: {judged} judged, {'all' if not wrong else 'NOT all'} score {wanted:.0f}", flush=True)
        for line in wrong[:5]:
            print(f"  {json.dumps(line)[:400]}")
        return not wrong

    def killed(self, count):
        """Whether an evaluation that is killed half-way ends as one that is not."""
        chosen = [row for number, row in enumerate(self.rows) if number % max(1, len(self.rows) // count) == 0][:count]
        places = {row["id"]: number for number, row in enumerate(chosen)}

        def reply(row):
            # Different files, so that each has to run: equal ones run once.
            number = places[row["id"]]
            if row["task"] == "I" and number % 2:
                return f"assert {number} == {number + 1}"
            return original(row) if number % 2 == 0 else f"    assert {number} < 0"

        running = self.start("killed", "killed", reply, chosen)
        journal = self.folder / "killed/outcomes.jsonl"
        done = 0
        while running.poll() is None and done < count // 4:
            time.sleep(0.05)
            done = journal.read_bytes().count(b"\n") if journal.exists() else 0
        running.send_signal(signal.SIGKILL)
        running.wait()
        kept = journal.read_bytes().count(b"\n")
        self.start("killed", "killed", reply, chosen).wait()
        self.start("whole", "whole", reply, chosen).wait()
        grades = [(self.folder / name / "grades.jsonl").read_bytes() for name in ("killed", "whole")]
        runs = (self.folder / "whole/outcomes.jsonl").read_bytes().count(b"\n")
        same = grades[0] == grades[1] and 0 < kept < runs
        print(f"{len(chosen)} answers, {runs} different files, killed after {kept}: {'same' if same else 'OTHER'} grades")
        return same


def main():
    parser = argparse.ArgumentParser(prog="check_clover", description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("environments", nargs="+", type=Path)
    parser.add_argument("--killed", type=int, default=1000)
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trefoil-clover-") as folder:
        evaluation = Evaluation(options, rows(options.dataset), Path(folder))
        sound = [
            evaluation.score("originals", original, 1.0),
            evaluation.score("empty", lambda row: "", 0.0),
            evaluation.score("trivial", trivial, 0.0),
            evaluation.killed(options.killed),
        ]
    sys.exit(not all(sound))


if __name__ == "__main__":
    main()
