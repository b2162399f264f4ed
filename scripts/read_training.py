"""Read training data with the libraries that people use. Started by scripts/read_training."""

import argparse
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import datasets  # noqa: E402
import duckdb  # noqa: E402
import mlcroissant  # noqa: E402
import polars  # noqa: E402
import pyarrow.json  # noqa: E402
import pyarrow.parquet  # noqa: E402


def with_duckdb(files):
    kind = "parquet" if files[0].suffix == ".parquet" else "json_auto"
    return duckdb.execute(f"SELECT count(*) FROM read_{kind}(?)", [[str(file) for file in files]]).fetchone()[0]


def with_pyarrow(files):
    read = pyarrow.parquet.read_table if files[0].suffix == ".parquet" else pyarrow.json.read_json
    return sum(len(read(file)) for file in files)


def with_polars(files):
    read = polars.read_parquet if files[0].suffix == ".parquet" else polars.read_ndjson
    return sum(read(file).height for file in files)


def with_croissant(folder, split):
    metadata = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    problems = metadata.metadata.ctx.issues
    if problems.errors:
        raise ValueError(f"croissant.json: {sorted(problems.errors)}")
    # Validation misses what only reading shows.
    return sum(1 for _ in metadata.records(record_set=split))


def check(folder, cache):
    files = json.loads((folder / "manifest.json").read_text())["files"]
    faults = []
    for name, entry in files.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != entry["sha256"]:
            faults.append(f"{name}: its SHA-256 is another one than the manifest says")
    splits = {}
    for name, entry in files.items():
        splits.setdefault(Path(name).name.split("-")[0], []).append((folder / name, entry["rows"]))
    loaded = datasets.load_dataset(str(folder), cache_dir=cache)
    for split, entries in splits.items():
        paths, expected = [path for path, _ in entries], sum(rows for _, rows in entries)
        seen = {
            "datasets": len(loaded[split]),
            "duckdb": with_duckdb(paths),
            "pyarrow": with_pyarrow(paths),
            "polars": with_polars(paths),
        }
        if (folder / "croissant.json").exists():
            seen["mlcroissant"] = with_croissant(folder, split)
        faults += [
            f"{split}: {reader} reads {rows} rows, the manifest says {expected}"
            for reader, rows in seen.items()
            if rows != expected
        ]
        print(f"{folder} {split}: {expected} rows in {len(paths)} files, read by {', '.join(seen)}")
    return faults


def main():
    parser = argparse.ArgumentParser(prog="read_training", description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    faults = []
    with tempfile.TemporaryDirectory() as cache:
        for folder in parser.parse_args().folders:
            faults += check(folder, cache)
    for fault in faults:
        print(f"read_training: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
