"""ConTest's own steps against a bare parse of the same files. Called by scripts/bench_contest, which see."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

from bench import bare_parse, export, find_clones


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def config(settings, clones, output):
    """The settings of the data set with repositories of our own."""
    text = f"[run]\noutput = {json.dumps(str(output))}\nshards = {min(len(clones), os.cpu_count() or 1)}\n"
    for number, clone in enumerate(clones):
        text += f'[[repositories]]\nlocation = {json.dumps(str(clone))}\nhost = "bench"\nname = "{number:04}"\n'
    return text + settings[settings.index("[matching.modes]") :]


def main():
    parser = argparse.ArgumentParser(prog="bench_contest", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--times", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--settings", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    clones = find_clones(options.clones)
    settings = options.settings.read_text(encoding="utf-8")
    ratios = []
    with tempfile.TemporaryDirectory(prefix="trefoil-contest-") as temporary:
        temporary = Path(temporary)
        sources = [temporary / "sources" / f"{number:04}" for number in range(len(clones))]
        for clone, source in zip(clones, sources):
            export(clone, source)
        bare = bare_parse(options.programs, sources)
        for number in range(options.times):
            folder = temporary / f"round{number}"
            folder.mkdir()
            path, timings = folder / "contest.toml", folder / "timings.json"
            path.write_text(config(settings, clones, folder / "run"), encoding="utf-8")
            cpu_of([options.programs / "trefoil", "run", path, "--timings", timings])
            stages = {stage["stage"]: stage["cpu_seconds"] for stage in json.loads(timings.read_text())["stages"]}
            trees = cpu_of([options.programs / "trefoil", "encode", folder / "run", "--vocabulary", "0"])
            before, bare = bare, bare_parse(options.programs, sources)
            beside = (before["cpu_seconds"] + bare["cpu_seconds"]) / 2
            ratios.append((stages["segmentation"] + trees) / beside)
            print(
                f"round {number + 1}: bare parse of {bare['files']} files {beside:.2f} CPU s, segmentation "
                f"with contexts {stages['segmentation']:.2f}, trees {trees:.2f}: ratio {ratios[-1]:.2f}",
                flush=True,
            )
    rounds = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"median ratio {statistics.median(ratios):.2f} (rounds {rounds}); the aim is at most 1.00")


if __name__ == "__main__":
    main()
