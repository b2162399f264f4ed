"""The pipeline against a bare parse of the same files. Called by scripts/bench, which see."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def git(repository, *arguments):
    command = ["git", f"--git-dir={repository}", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def git_directory(path):
    """The git directory at this path, or None."""
    for candidate in (path, path / ".git"):
        if (candidate / "HEAD").is_file() and (candidate / "objects").is_dir():
            return candidate.resolve()
    return None


def find_clones(paths):
    clones = []
    for path in paths:
        found = git_directory(path)
        below = [] if found else sorted(path.glob("*")) + sorted(path.glob("*/repo"))
        found = [found] if found else [clone for clone in map(git_directory, below) if clone]
        if not found:
            sys.exit(f"bench: {path} is no git repository and holds none")
        clones += found
    return clones


def export(repository, target):
    """Writes every regular file of HEAD, byte for byte. `git archive` would obey .gitattributes instead."""
    entries = []
    for entry in git(repository, "ls-tree", "-r", "-z", "HEAD").split(b"\0"):
        if entry.startswith((b"100644 ", b"100755 ")):
            facts, _, path = entry.partition(b"\t")
            entries.append((facts.split()[2], path))
    command = ["git", f"--git-dir={repository}", "-c", "safe.directory=*", "cat-file", "--batch"]
    with tempfile.TemporaryFile() as wanted:
        wanted.write(b"".join(blob + b"\n" for blob, _ in entries))
        wanted.seek(0)
        with subprocess.Popen(command, stdin=wanted, stdout=subprocess.PIPE) as blobs:
            for _, path in entries:
                answer = blobs.stdout.readline().split()
                if answer[-1] == b"missing":
                    continue  # A partial clone; the run leaves such files out as well.
                size = int(answer[2])
                data = blobs.stdout.read(size + 1)[:-1]
                place = os.path.join(os.fsencode(target), path)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "wb") as file:
                    file.write(data)


def bare_parse(programs, sources, cores=1):
    """Parses all files on each of so many cores at once; answers the figures of one, with the mean of the CPU seconds.
    Cores that work at the same time slow each other down."""
    command = [programs / "examples/bare_parse", *sources]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(cores)]
    parsed = [json.loads(one.communicate()[0]) for one in started]
    return {**parsed[0], "cpu_seconds": statistics.mean(one["cpu_seconds"] for one in parsed)}


def pipeline(programs, clones, jobs, folder, votes):
    """Runs everything from nothing, with the votes of all modes or the chosen one; answers timings and report."""
    config, output, timings = folder / "bench.toml", folder / "run", folder / "timings.json"
    text = f"[run]\noutput = {json.dumps(str(output))}\nshards = {min(len(clones), os.cpu_count() or 1)}\n"
    text += f"\n[matching]\nvotes = {json.dumps(votes)}\n"
    for number, clone in enumerate(clones):
        text += f"\n[[repositories]]\nlocation = {json.dumps(str(clone))}\n"
        text += f'host = "bench"\nname = "{number:04}"\n'
    config.write_text(text, encoding="utf-8")
    shutil.rmtree(output, ignore_errors=True)
    command = [programs / "trefoil", "run", config, "--timings", timings]
    command += ["--jobs", str(jobs)] if jobs else []
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: the run failed:\n{done.stderr}{done.stdout}")
    return json.loads(timings.read_text()), json.loads((output / "report.json").read_text())


def check_same_files(bare, report):
    files = sum(funnel["files"] for funnel in report["languages"].values())
    size = sum(funnel["bytes"] for funnel in report["languages"].values())
    if (files, size) != (bare["files"], bare["bytes"]):
        there = f"{bare['files']} files of {bare['bytes']} bytes"
        print(f"bench: not the same files: parsed bare {there}, by the run {files} of {size}", file=sys.stderr)


def print_stages(timings, size):
    """Stages overlap, so that a rate per stage only makes sense per CPU second; wall time is the run's."""
    print(f"  {'stage':<12}{'CPU s':>8}{'MB/CPU s':>10}{'peak MB':>9}")
    driver = {"stage": "driver", "cpu_seconds": 0, "peak_worker_bytes": 0}
    driver.update(cpu_seconds=timings["driver"]["cpu_seconds"], peak_worker_bytes=timings["driver"]["peak_bytes"])
    everything = 0
    for stage in [*timings["stages"], driver]:
        cpu = stage["cpu_seconds"]
        everything += cpu
        rate, peak = size / 1e6 / max(cpu, 1e-3), stage["peak_worker_bytes"] / 1e6
        print(f"  {stage['stage']:<12}{cpu:>8.2f}{rate:>10.1f}{peak:>9.0f}")
    wall = timings["wall_seconds"]
    print(f"  {'all':<12}{everything:>8.2f}  in {wall:.2f} s: {everything / wall:.2f} cores busy", end="")
    print(f", {size / 1e6 / wall:.1f} MB/s")


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--times", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--jobs", type=int, help="cores for the pipeline (default: all)")
    parser.add_argument("--keep", type=Path, help="keep the run and its timings in this folder")
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    clones = find_clones(options.clones)

    with tempfile.TemporaryDirectory(prefix="trefoil-bench-") as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        sources = []
        for number, clone in enumerate(clones):
            sources.append(Path(temporary) / "sources" / f"{number:04}")
            export(clone, sources[-1])
        ratios = {"chosen": [], "all": []}
        cores = options.jobs or os.cpu_count() or 1
        bare = bare_parse(options.programs, sources, cores)
        print(f"{bare['files']} files, {bare['bytes'] / 1e6:.1f} MB")
        for number in range(options.times):
            for votes, of_rounds in ratios.items():
                timings, report = pipeline(options.programs, clones, options.jobs, folder, votes)
                before, bare = bare, bare_parse(options.programs, sources, cores)
                if number == 0 and votes == "all":
                    check_same_files(bare, report)
                cpu = {stage["stage"]: stage["cpu_seconds"] for stage in timings["stages"]}
                beside = (before["cpu_seconds"] + bare["cpu_seconds"]) / 2
                of_rounds.append((cpu["parsing"] + cpu["matching"]) / beside)
                print(f"\nround {number + 1}, votes of {'every mode' if votes == 'all' else 'one mode a language'}:")
                print_stages(timings, bare["bytes"])
                speed = bare["bytes"] / 1e6 / beside
                print(f"  bare parse before and after: {beside:.2f} CPU s on average, {speed:.1f} MB/s per core")
                print(f"  (parsing + matching) / bare parse = {of_rounds[-1]:.2f}", flush=True)
        for (votes, of_rounds), aim in zip(ratios.items(), (1.5, 2.5)):
            rounds = ", ".join(f"{ratio:.2f}" for ratio in of_rounds)
            what = "every mode, resolution and `combined`" if votes == "all" else "one published mode a language"
            middle = statistics.median(of_rounds)
            print(f"\n{what}: median ratio {middle:.2f} (rounds {rounds}); the aim is at most {aim}", end="")
        print()


if __name__ == "__main__":
    main()
