"""See scripts/check_history."""

import datetime
import resource
import subprocess
import sys


def carry_out(command):
    """Output of a command and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def added(repository):
    """The earliest commit that brought each path, by git's own account, and the CPU seconds."""
    # -c shows of a merge what differs from all parents; the entries of -z come after a commit's line.
    log = ["log", "--full-history", "-c", "--no-renames", "--diff-filter=A", "--name-only", "-z"]
    output, seconds = carry_out(["git", "-C", repository, *log, "--format=%x01%ct %H", "HEAD"])
    first = {}
    for commit in output.split(b"\x01")[1:]:
        head, *paths = commit.strip(b"\n\0").split(b"\0")
        found = (int(head.split()[0]), head.split()[1].decode())
        for path in (path.lstrip(b"\n") for path in paths):
            if path:
                first[path] = min(found, first.get(path, found))
    return first, seconds


def main():
    failed = False
    for repository in sys.argv[2:]:
        output, ours = carry_out([sys.argv[1], repository])
        theirs, seconds = added(repository)
        wrong = []
        lines = output.splitlines()
        for line in lines:
            path, commit, date = line.split(b"\t")
            expected = theirs.get(path)
            said = int(datetime.datetime.fromisoformat(date.decode()).timestamp())
            if expected != (said, commit.decode()):
                wrong.append((path, commit, said, expected))
        print(f"{repository}: {len(lines)} files, {len(wrong)} differ; CPU {ours:.2f} s, git log {seconds:.2f} s, "
              f"{ours / max(seconds, 0.01):.2f} times")
        for path, *rest in wrong[:5]:
            print("  ", path.decode(errors="replace"), *rest)
        failed |= bool(wrong)
    sys.exit(failed)


main()
