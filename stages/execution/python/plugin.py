"""Runs test files in one pytest process and writes a line for every item as it ends.

`plugin.py SETTING` with the same setting as the zygote's, `tests` (the files) and `output` (where the lines go). The
time of its limits begins when the tests are collected, which may take `collecting` seconds. With statements it also
says which lines each item ran. That is an estimate: what other tests imported or left in caches does not run again, and
whatever runs while tests are collected counts for each of them.
"""

import json
import os
import resource
import select
import signal
import sys

import isolation
import session
from tracer import Tracer

ROOT = "/repository"


class Items(session.Reporter):
    """Writes each item once its tear-down is over."""

    def __init__(self, tracer, table, output, collected):
        super().__init__(None, "", lambda: None)
        self.tracer, self.table, self.output, self.collected = tracer, table, output, collected

    def write(self, row):
        self.output.write(json.dumps(row) + "\n")
        self.output.flush()

    def hit(self):
        found = {}
        for path, numbers in self.tracer.lines().items():
            path = path[len(ROOT) + 1 :]
            file = self.table[path]
            found[path] = sorted({file["first"].get(number, number) for number in numbers} & file["known"])
        return found

    @session.pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        if self.table:
            self.tracer.start()

    def pytest_ignore_collect(self):
        return None

    def pytest_collection_finish(self, session):
        self.collected()
        if self.table:
            self.write({"base": self.hit()})

    def pytest_collectreport(self, report):
        if report.failed:
            self.write({"collection": report.nodeid, "detail": str(report.longrepr)[-2000:]})

    def pytest_runtest_logstart(self, nodeid, location):
        if self.table:
            self.tracer.restart()

    def pytest_runtest_logreport(self, report):
        self.detail = ""
        super().pytest_runtest_logreport(report)

    def pytest_runtest_logfinish(self, nodeid, location):
        name = nodeid.partition("::")[2]
        row = {"item": nodeid, "outcome": self.items.pop(name, "error")}
        if self.table:
            row["hit"] = self.hit()
        self.write(row)


def run(setting, collected):
    table = setting["statements"]
    for file in table.values():
        file["known"] = set(file["statements"])
        file["first"] = {line: first for line, first in file["first"]}
    tracer = Tracer({f"{ROOT}/{path}": file["length"] for path, file in table.items()})
    if table:
        tracer.prepare()
    os.chdir(ROOT)
    sys.path[:] = setting["path"] + [path for path in sys.path if path != os.path.dirname(__file__)]
    with open(setting["output"], "w", encoding="utf-8") as output:
        items = Items(tracer, table, output, collected)
        status = session.pytest.main(setting["options"] + setting["tests"], plugins=[items])
        own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
        items.write({"status": int(status), "cpu": cpu})


def main():
    """Runs pytest in a child, so that it can be stopped whatever its tests do."""
    with open(sys.argv[1], encoding="utf-8") as file:
        setting = json.load(file)
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        try:
            run(setting, lambda: os.write(say, b"."))
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(0)
    os.close(say)
    # It is heard from once more where it ends before it has collected.
    heard, _, _ = select.select([hear], [], [], setting["collecting"])
    if not heard or isolation.wait_for(child, setting["limits"]["seconds"]) is None:
        os.kill(child, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main()
