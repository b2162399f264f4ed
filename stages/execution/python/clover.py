"""Runs test files as CLOVER does: two pytest processes with pytest-cov for each, one with the test, one empty.

Reads one request a line from standard input and answers one line on standard output. For comparison only.
"""

import json
import os
import resource
import signal
import subprocess
import sys

import isolation

ROOT = "/repository"


def run(setting, path, function, source, number):
    """One pytest process. Lines hit by path, its status, and what it said."""
    full = os.path.join(ROOT, path)
    with open(full, "w", encoding="utf-8", newline="") as file:
        file.write(source)
    report = f"/tmp/report{number}.json"
    environment = dict(os.environ, PYTHONPATH="/environment/tools", COVERAGE_FILE=f"/tmp/data{number}")
    command = [sys.executable, "-m", "pytest", *setting["options"], "-p", "pytest_cov", full]
    command += [f"--cov={ROOT}/{folder}" for folder in setting["roots"]]
    command += ["--cov-config=/dev/null", f"--cov-report=json:{report}"]
    if function:
        command += ["-k", function]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=setting["limits"]["seconds"] * 2
        )
        status, log = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired:
        status, log = None, ""
    finally:
        os.unlink(full)
    hit = {}
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            for name, measured in json.load(file)["files"].items():
                hit[os.path.relpath(os.path.join(ROOT, name), ROOT)] = measured["executed_lines"]
        os.unlink(report)
    return hit, status, log


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        setting = json.load(file)
    os.chdir(ROOT)
    print(json.dumps({"base": {}}), flush=True)
    for number, line in enumerate(sys.stdin):
        request = json.loads(line)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        hit, status, log = run(setting, request["path"], request["function"], request["source"], 2 * number)
        run(setting, request["path"], "", "def test():\n    assert True\n", 2 * number + 1)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        outcome = {0: "passed", 1: "failed", 5: "skipped", None: "timed_out"}.get(status, "error")
        if status is not None and status < 0:
            outcome = "out_of_memory" if -status == signal.SIGKILL else "crashed"
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        answer = {"outcome": outcome, "detail": "", "items": [], "wrote": [], "log": log[-16384:], "hit": hit, "cpu": cpu}
        answer["killed"] = isolation.killed_for_memory()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
