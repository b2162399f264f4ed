"""See scripts/bench_clone."""

import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

from stand_in import StandIn


def measured(server, command):
    """CPU seconds and received bytes of a command."""
    before, (_, served) = resource.getrusage(resource.RUSAGE_CHILDREN), server.served()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command} failed: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, server.served()[1] - served


def main():
    serve, fetch, place, rounds = *sys.argv[1:4], int(sys.argv[4]) if len(sys.argv) > 4 else 7
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        with StandIn(serve, work, {"bench/bench": pathlib.Path(place).resolve()}) as server:
            (commit, *_), url = server.facts["bench/bench"], f"{server.url}/bench/bench.git"
            figures = {"git clone": [], "git clone and reading": [], "fetch and reading": []}
            for number in range(rounds):
                clone, ours = work / f"git-{number}", work / f"ours-{number}"
                command = ["git", "clone", "--quiet", "--depth", "1", "--no-checkout", url, str(clone)]
                figures["git clone"].append(measured(server, command))
                # What git takes to hand out every file of the commit, without a checkout.
                blobs = f"git -C {clone} ls-tree -r HEAD | awk '$2 == \"blob\" {{print $3}}'"
                reading = f"{blobs} | git -C {clone} cat-file --batch > /dev/null"
                cpu, size = measured(server, ["bash", "-c", reading])
                whole = figures["git clone"][-1]
                figures["git clone and reading"].append((whole[0] + cpu, whole[1] + size))
                figures["fetch and reading"].append(measured(server, [fetch, url, commit, str(ours)]))
    print(f"{rounds} rounds of {place} at {commit[:12]}, medians")
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}
    for name, (cpu, size) in medians.items():
        print(f"{name:>24}: {cpu:.3f} CPU seconds, {size:.0f} bytes")
    for name in ("git clone", "git clone and reading"):
        cpu, size = (ours / other for ours, other in zip(medians["fetch and reading"], medians[name]))
        print(f"fetch and reading / {name}: CPU {cpu:.2f}, bytes {size:.3f}")


main()
