"""See scripts/run_over_stand_in."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from real_runs import search_config_text
from stand_in import LANGUAGES, StandIn, repositories


def bytes_of(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                pass  # Removed between the two looks.
    return total


def main():
    trefoil, serve, folder, output = sys.argv[1:5]
    output = pathlib.Path(output).resolve()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        with StandIn(serve, work, repositories(pathlib.Path(folder))) as server:
            languages = sorted({known[2] for known in server.facts.values()})
            print(f"{len(server.facts)} repositories in {', '.join(languages)} at {server.url}")
            config = work / "run.toml"
            config.write_text(search_config_text(output, len(server.facts) // 2 + 1, server.url, languages))
            peak, over = [0], threading.Event()

            def watch():
                while not over.wait(0.2):
                    peak[0] = max(peak[0], bytes_of(output / "clones"))

            watcher = threading.Thread(target=watch)
            watcher.start()
            start = time.monotonic()
            outcome = subprocess.run([trefoil, "run", str(config), *sys.argv[5:]])
            over.set()
            watcher.join()
            requests, size = server.served()
    report = json.loads((output / "report.json").read_text())
    read = {name.split("/", 1)[1] for name in report["repositories"]}
    missing = sorted(set(server.facts) - read)
    print(f"\n{time.monotonic() - start:.0f} s, {requests} requests, {size / 1e6:.1f} MB served; clones took "
          f"{peak[0] / 1e6:.1f} MB at most and {bytes_of(output / 'clones') / 1e6:.1f} MB at the end")
    for language, funnel in sorted(report["languages"].items()):
        print(f"{language:>12}: {json.dumps(funnel)[:150]}")
    if outcome.returncode or missing or len(languages) < len(LANGUAGES):
        print(f"exit code {outcome.returncode}, not read: {missing}, languages: {languages}", file=sys.stderr)
        sys.exit(1)


main()
