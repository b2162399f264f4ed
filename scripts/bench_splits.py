"""Time `trefoil split` on made rows. Started by scripts/bench_splits."""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pyarrow as arrow
import pyarrow.parquet as parquet

LANGUAGES = ["csharp", "go", "java", "javascript", "python"]


def hexadecimal(numbers):
    """32 digits for each number, as identities have them."""
    with numpy.errstate(over="ignore"):
        high = (numbers.astype(numpy.uint64) + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
        high = (high ^ (high >> numpy.uint64(29))) * numpy.uint64(0xBF58476D1CE4E5B9)
    both = numpy.stack([high, high[::-1]], axis=1).astype(">u8")
    text = both.tobytes().hex()
    return arrow.array([text[at : at + 32] for at in range(0, len(text), 32)])


def make_rows(count):
    """Columns of the table of assignments for `count` rows."""
    draw = numpy.random.default_rng(1)
    # No repository has more than 200 rows (the default of filtering.max_pairs_per_repository).
    sizes = numpy.minimum(numpy.ceil(draw.lognormal(2.7, 1.6, count)), 200).astype(numpy.int64)
    sizes = sizes[: numpy.searchsorted(numpy.cumsum(sizes), count) + 1]
    repository = numpy.repeat(numpy.arange(len(sizes)), sizes)[:count]
    # One repository in ten is a fork of the one before it.
    cluster = numpy.arange(len(sizes))
    forks = draw.random(len(sizes)) < 0.1
    cluster[1:][forks[1:]] = cluster[:-1][forks[1:]]
    rows = numpy.arange(count)
    test = numpy.where(draw.random(count) < 0.05, draw.integers(0, count, count), rows)
    names = numpy.array([f"owner{number // 4}/repository{number}" for number in range(len(sizes))])
    language = draw.choice(len(LANGUAGES), len(sizes), p=[0.1, 0.15, 0.35, 0.15, 0.25])
    columns = {
        "id": hexadecimal(rows),
        "host": arrow.array(["github.com"] * count),
        "repository": arrow.array(names[repository]),
        "cluster": arrow.array(numpy.char.add("github.com/", names[cluster])[repository]),
        "language": arrow.array(numpy.array(LANGUAGES)[language][repository]),
        "test_cluster": hexadecimal(test + count),
        "focal_cluster": hexadecimal(test + 2 * count),
        "pair_cluster": hexadecimal(rows + 3 * count),
        "project": arrow.array(["train"] * count),
        "random": arrow.array(["train"] * count),
        "characters": arrow.array(numpy.full(count, 500, dtype=numpy.uint32)),
    }
    return arrow.table(columns), len(sizes)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def make_run(folder, table):
    """The folder of a run as far as `split` looks at it."""
    shard = folder / "splitting" / "shard-00000"
    shard.mkdir(parents=True)
    path = shard / "assignments.parquet"
    parquet.write_table(table, path, compression="zstd", row_group_size=100_000)
    entry = {"version": 2, "rows": len(table), "bytes": path.stat().st_size, "sha256": digest(path.read_bytes())}
    manifest = {"stage": "splitting", "fingerprint": "made", "tables": {"assignments": entry}, "repositories": {}}
    seal = digest(json.dumps(manifest, separators=(",", ":")).encode())
    (shard / "manifest.json").write_text(json.dumps(manifest | {"seal": seal}))
    (folder / "plan.json").write_text("{}")
    (folder / "manifest.json").write_text('{"files": {}}')


def split(program, run, *arguments):
    """Seconds, peak megabytes and the numbers that it prints."""
    with tempfile.NamedTemporaryFile("r") as numbers:
        start = time.monotonic()
        command = ["/usr/bin/time", "-f", "%M", program, "split", str(run), "--json", numbers.name, *arguments]
        outcome = subprocess.run(command, capture_output=True, text=True)
        if outcome.returncode:
            sys.exit(outcome.stderr)
        seconds = time.monotonic() - start
        return seconds, int(outcome.stderr.split()[-1]) / 1024, json.load(numbers)


def splits(run, name):
    table = parquet.read_table(run / "splits" / name / "rows.parquet", columns=["id", "split"])
    return dict(zip(table["id"].to_pylist(), table["split"].to_pylist()))


def main():
    parser = argparse.ArgumentParser(prog="bench_splits")
    parser.add_argument("--program", required=True)
    parser.add_argument("--rows", type=int, default=6_000_000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.keep) as folder:
        table, repositories = make_rows(options.rows)
        run = Path(folder) / "run"
        make_run(run, table)
        print(f"{options.rows} rows of {repositories} repositories")
        print(f"  {'':<44}{'s':>6}{'MB':>6}  {'largest miss':>12}  {'moved':>6}  left out")
        for arguments in [
            ["--by", "project"],
            ["--by", "project", "--near", "ignore", "--name", "plain"],
            ["--by", "project", "--seed", "2", "--name", "seed2"],
            ["--by", "project", "--stratify", "language", "--name", "languages"],
            ["--by", "organisation"],
            ["--by", "random"],
            ["--by", "project", "--seed", "3", "--name", "frozen", "--frozen", f"{run}/splits/project/rows.parquet"],
        ]:
            seconds, peak, numbers = split(options.program, run, *arguments)
            miss = max(abs(way["miss"]) for way in numbers["splits"])
            left = sum(numbers["left_out"].values())
            line = " ".join(argument.replace(folder, "…") for argument in arguments)
            print(f"  {line[:44]:<44}{seconds:>6.1f}{peak:>6.0f}  {miss:>12.3f}  {numbers['units_moved']:>6}  {left}")
        before, frozen = splits(run, "project"), splits(run, "frozen")
        moved = sum(frozen[row] != split for row, split in before.items() if split)
        print(f"frozen rows that moved: {moved}")

        # The same without every eleventh repository: the rest is what came first.
        number = numpy.array([int(name.rsplit("repository", 1)[1]) for name in table["cluster"].to_pylist()])
        earlier = Path(folder) / "earlier"
        make_run(earlier, table.filter(arrow.array(number % 11 != 0)))
        split(options.program, earlier)
        split(options.program, earlier, "--near", "ignore", "--name", "plain")
        frozen = ["--name", "next", "--frozen", f"{earlier}/splits/project/rows.parquet"]
        seconds, peak, _ = split(options.program, run, *frozen)
        size = (earlier / "splits" / "project" / "rows.parquet").stat().st_size / 2**20
        print(f"the earlier division frozen: {seconds:.1f} s, {peak:.0f} MB, a file of {size:.0f} MB")
        for before, after, how in [
            ("project", "next", "the earlier division frozen"),
            ("project", "project", "nothing frozen"),
            ("plain", "plain", "nothing frozen, near-duplicates ignored"),
        ]:
            old, new = splits(earlier, before), splits(run, after)
            moved = sum(new[row] != split for row, split in old.items() if split and new[row])
            left = sum(not new[row] for row, split in old.items() if split)
            print(
                f"{len(new) - len(old)} rows of other repositories came to {len(old)}, {how}: "
                f"{moved} old rows moved, {left} left out"
            )


if __name__ == "__main__":
    main()
