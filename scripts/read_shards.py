"""Compare what four Parquet readers see in an export with what the run reports.

Started by scripts/read_shards, which brings the readers. Exit code 1 and one line per fault on a mismatch.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

# The export is a local directory: no reader has a reason to ask the network.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import datasets  # noqa: E402
import duckdb  # noqa: E402
import polars  # noqa: E402
import pyarrow.compute as compute  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

PLACEHOLDER = "#focal function/method here"
COLUMNS = ["inputs", "instruction", "meta", "outputs"]
INPUTS = [
    "focal_file_path",
    "focal_func",
    "focal_func_context",
    "language",
    "test_file_path",
    "test_framework",
    "test_func_context",
    "test_func_type",
]
META = ["focal_func_type", "pair_id", "repo_id"]
READERS = ["datasets", "duckdb", "pyarrow", "polars"]


class Faults:
    def __init__(self):
        self.lines = []

    def add(self, line):
        self.lines.append(line)

    def expect(self, holds, line):
        if not holds:
            self.add(line)


def read_with_datasets(dataset, split):
    """None when load_dataset failed, which has been reported by then."""
    if dataset is None:
        return None
    return [(row["meta"]["id"], row["outputs"]) for row in dataset.get(split, [])]


def read_with_duckdb(files):
    query = "SELECT meta.id, outputs FROM read_parquet(?)"
    return duckdb.execute(query, [[str(file) for file in files]]).fetchall()


def read_with_pyarrow(files):
    rows = []
    for file in files:
        table = parquet.read_table(file, columns=["meta", "outputs"], partitioning=None)
        ids = compute.struct_field(table["meta"], "id").to_pylist()
        rows.extend(zip(ids, table["outputs"].to_pylist()))
    return rows


def read_with_polars(files):
    frame = polars.concat([polars.read_parquet(file, hive_partitioning=False) for file in files])
    return frame.select(polars.col("meta").struct.field("id"), "outputs").rows()


def check_features(config, features, faults):
    def is_text(feature):
        return getattr(feature, "dtype", None) in ("string", "large_string")

    faults.expect(sorted(features) == COLUMNS, f"{config}: columns are {sorted(features)}, not {COLUMNS}")
    for column in ("instruction", "outputs"):
        faults.expect(is_text(features.get(column)), f"{config}: {column} is {features.get(column)}, not a string")
    inputs, meta = features.get("inputs"), features.get("meta")
    if not isinstance(inputs, dict) or not isinstance(meta, dict):
        faults.add(f"{config}: inputs and meta must be structs")
        return
    faults.expect(sorted(inputs) == INPUTS, f"{config}: inputs holds {sorted(inputs)}, not {INPUTS}")
    for name, feature in inputs.items():
        faults.expect(is_text(feature), f"{config}: inputs.{name} is {feature}, not a string")
    for name in META:
        faults.expect(is_text(meta.get(name)), f"{config}: meta.{name} is {meta.get(name)}, not a string")
    number = getattr(meta.get("id"), "dtype", None)
    faults.expect(number == "uint64", f"{config}: meta.id is {meta.get('id')}, not a number")


def check_rows(where, files, faults):
    """Look at each row itself; answers the repositories and ids of the split."""
    repositories, ids = set(), []
    for file in files:
        table = parquet.read_table(file, columns=["inputs", "meta"], partitioning=None)
        file_ids = compute.struct_field(table["meta"], "id").to_pylist()
        contexts = compute.struct_field(table["inputs"], "focal_func_context").to_pylist()
        bare = [i for i, context in zip(file_ids, contexts) if PLACEHOLDER not in (context or "")]
        if bare:
            faults.add(f"{where}: {len(bare)} rows have no '{PLACEHOLDER}' in focal_func_context, first {bare[0]}")
        repositories.update(compute.struct_field(table["meta"], "repo_id").to_pylist())
        ids.extend(file_ids)
    faults.expect(None not in repositories, f"{where}: a row has no meta.repo_id")
    faults.expect(None not in ids, f"{where}: a row has no meta.id")
    return repositories, ids


def first_difference(ours, theirs):
    ours, theirs = set(ours), set(theirs)
    return f"{len(ours - theirs)} only there, {len(theirs - ours)} only in pyarrow's, " + (
        f"e.g. {sorted(map(str, ours ^ theirs))[0]}" if ours ^ theirs else "same ids but other texts or another order"
    )


def check_split(export, config, split, expected, dataset, faults):
    where = f"{config}/{split}"
    files = sorted((export / config).glob(f"{split}-*.parquet"))
    if not files:
        faults.expect(expected == 0, f"{where}: no Parquet file, but {expected} rows are reported")
        return dict.fromkeys(READERS, 0), set(), []
    seen = {
        "datasets": read_with_datasets(dataset, split),
        "duckdb": read_with_duckdb(files),
        "pyarrow": read_with_pyarrow(files),
        "polars": read_with_polars(files),
    }
    reference = seen["pyarrow"]
    for reader, rows in seen.items():
        if rows is None:
            continue
        faults.expect(
            len(rows) == expected, f"{where}: {reader} reads {len(rows)} rows, the report says {expected}"
        )
        if rows != reference:
            detail = first_difference([row[0] for row in rows], [row[0] for row in reference])
            faults.add(f"{where}: {reader} and pyarrow do not read the same rows: {detail}")
    repositories, ids = check_rows(where, files, faults)
    counts = {reader: "-" if rows is None else len(rows) for reader, rows in seen.items()}
    return counts, repositories, ids


def check_config(export, config, rows, cache, faults):
    try:
        dataset = datasets.load_dataset(str(export), config, cache_dir=cache)
    except Exception as error:  # whatever stops a user's first line of code is a fault of the export
        faults.add(f"{config}: load_dataset fails: {type(error).__name__}: {error}")
        cause = error.__cause__
        if cause is not None:
            faults.add(f"  because of {type(cause).__name__}: {cause}")
        dataset = None
    for split, table in (dataset or {}).items():
        check_features(f"{config}/{split}", table.features, faults)
    unknown = sorted(set(dataset or {}) - set(rows))
    faults.expect(not unknown, f"{config}: the card has splits that the report has not: {unknown}")

    seen_ids, homes, table = {}, {}, []
    for split, expected in rows.items():
        counts, repositories, ids = check_split(export, config, split, expected, dataset, faults)
        table.append((config, split, expected, counts, len(repositories)))
        for identity in ids:
            if identity in seen_ids:
                faults.add(f"{config}: {identity} stands in {seen_ids[identity]} and in {split}")
            seen_ids[identity] = split
        for repository in repositories:
            homes.setdefault(repository, []).append(split)
    if config == "project":
        for repository, splits in sorted(homes.items(), key=str):
            faults.expect(
                len(splits) == 1, f"project: repository {repository} stands in {len(splits)} splits: {splits}"
            )
    return table


def read_report(run):
    path = run / "report.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    except FileNotFoundError:
        sys.exit(f"read_shards: {path} is missing: is the run finished?")
    except (KeyError, ValueError) as error:
        sys.exit(f"read_shards: {path} holds no row counts: {type(error).__name__}: {error}")
    if not rows:
        sys.exit(f"read_shards: {path} reports no configuration at all")
    return rows


def print_table(table):
    header = ["config", "split", "report", *READERS, "repositories"]
    lines = [header] + [
        [config, split, str(expected), *(str(counts[reader]) for reader in READERS), str(repositories)]
        for config, split, expected, counts, repositories in table
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        left = [cell.ljust(width) for cell, width in zip(line[:2], widths[:2])]
        right = [cell.rjust(width) for cell, width in zip(line[2:], widths[2:])]
        print("  ".join(left + right))


def main():
    parser = argparse.ArgumentParser(prog="read_shards", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="the folder of a finished run")
    parser.add_argument("--dataset", default="unit-tests", help="folder under export/ (default: %(default)s)")
    options = parser.parse_args()

    rows = read_report(options.run)
    export = options.run / "export" / options.dataset
    if not export.is_dir():
        sys.exit(f"read_shards: {export} is missing")
    datasets.disable_progress_bars()
    datasets.utils.logging.set_verbosity_error()

    faults, table = Faults(), []
    faults.expect((export / "README.md").is_file(), f"{export}: the dataset card README.md is missing")
    faults.expect("project" in rows, "report.json: no row counts for 'project'")
    with tempfile.TemporaryDirectory(prefix="trefoil-read-") as cache:
        for config, splits in rows.items():
            table.extend(check_config(export, config, splits, cache, faults))

    print_table(table)
    if faults.lines:
        print()
        for line in faults.lines:
            print(f"read_shards: {line}", file=sys.stderr)
        sys.exit(1)
    total = sum(expected for _, _, expected, _, _ in table)
    print(f"\nall four readers agree with the report on {total} rows")


if __name__ == "__main__":
    main()
