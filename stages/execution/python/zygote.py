"""Loads pytest and the conftest files of one directory once, then forks for each test file.

Reads one request a line from standard input and answers one line on standard output; `Request` and `Answer` in
`zygote.rs` are the other side. The test's process can reach neither.
"""

import gc
import importlib.util
import json
import os
import signal
import sys
import time

import isolation
import session
from tracer import Tracer

ROOT = "/repository"
LOG_BYTES = 16 * 1024
REPORT_BYTES = 4 * 1024 * 1024


class Start:
    """Starts the tracer where pytest-cov starts its own."""

    def __init__(self, tracer):
        self.tracer = tracer

    @session.pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        self.tracer.start()


class Found:
    """What the keeper of a test found."""

    def __init__(self):
        self.output = self.report = b""
        self.status = None
        self.wrote = []
        self.failed = ""


class Zygote:
    def __init__(self, setting, private):
        self.setting = setting
        self.private = private
        self.limits = setting["limits"]
        table = setting["statements"]
        self.tracer = Tracer({f"{ROOT}/{path}": file["length"] for path, file in table.items()})
        self.table = table
        self.counted = 0.0
        self.early = "late" not in sys.argv
        self.folder = None
        self.user, self.group = os.getuid(), os.getgid()

    def load(self):
        """Configures pytest as for a file of the directory, up to where it would collect.

        False where that has started threads, which no fork keeps: each test then has to start its own session.
        """
        from _pytest.config import _prepareconfig

        # Passes over what is loaded take a tenth of the time, and what they free leaves holes: a child that fills them
        # copies a page each.
        gc.disable()
        plugins = []
        if self.table:
            self.tracer.prepare()
            plugins.append(Start(self.tracer))
        # Where it is installed it loads coverage.py, which nobody asks here.
        options = [*self.setting["options"], "-p", "no:pytest_cov"]
        self.config = _prepareconfig([*options, self.setting["anchor"]], plugins)
        if self.early:
            self.session = session.begin(self.config)
            if len(os.listdir("/proc/self/task")) > 1:
                return False
            self.folder = session.reach(self.session, self.setting["anchor"])
            self.warm_up()
        self.base = self.tracer.lines()
        self.directories = [ROOT, "/tmp", "/dev/shm", os.environ["HOME"]]
        gc.freeze()
        gc.enable()
        return True

    def warm_up(self):
        """Loads what pytest loads by and by when it runs any test; nothing of the repository."""
        path = "/tmp/tmp_test_empty.py"
        with open(path, "w") as file:
            file.write("def test():\n    assert True\n")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                before = set(sys.modules)
                session.run(self.session, path, "", lambda: None)
                names = [name for name in sys.modules if name not in before and name != "tmp_test_empty"]
                os.write(writing, json.dumps(names).encode()[:60000])
            finally:
                os._exit(0)
        os.close(writing)
        with open(reading, "rb") as file:
            told = file.read()
        os.waitpid(child, 0)
        os.unlink(path)
        try:
            names = json.loads(told)
        except ValueError:
            return
        for name in names:
            spec = importlib.util.find_spec(name.partition(".")[0])
            if spec is not None and not str(spec.origin).startswith(ROOT):
                importlib.import_module(name)

    def statements(self, seen):
        """First lines of the statements that these lines belong to, by path."""
        hit = {}
        for path, numbers in seen.items():
            path = path[len(ROOT) + 1 :]
            file = self.table[path]
            first, known = file["first"], file["known"]
            lines = {first.get(number, number) for number in numbers}
            hit[path] = sorted(lines & known)
        return hit

    def run(self, request):
        self.tracer.forget()
        found = Found()
        used = isolation.in_namespaces(lambda: self.keep(request, found))
        answer = self.verdict(request, found)
        answer["log"] = found.output.decode(errors="replace")
        answer["hit"] = self.statements(self.tracer.lines())
        answer["killed"] = isolation.killed_for_memory()
        # Its own share too: loading counts for the first test.
        now = time.process_time()
        answer["cpu"] = used.ru_utime + used.ru_stime + now - self.counted
        self.counted = now
        return answer

    def verdict(self, request, found):
        """What the keeper saw decides; what the test's process says counts only where it ended as it should."""
        answer = {"wrote": found.wrote, "items": []}
        lines = found.report.decode(errors="replace").splitlines()
        told = None
        if len(lines) == 1:
            try:
                told = json.loads(lines[0])
            except ValueError:
                pass
        if found.failed:
            answer.update(outcome="infrastructure", detail=found.failed)
        elif found.status is None:
            answer.update(outcome="timed_out", detail=f"more than {request['seconds']} seconds")
        elif os.WIFSIGNALED(found.status):
            number = os.WTERMSIG(found.status)
            # Whether it was killed for its memory is known outside only.
            answer.update(outcome="crashed", detail=f"ended by signal {number}")
        elif not isinstance(told, dict) or told.pop("nonce", None) != request["nonce"]:
            answer.update(outcome="crashed", detail="its process ended before the session did")
        else:
            answer.update(told)
        return answer

    def keep(self, request, found):
        """First process of the namespaces: prepares them, starts the test's process and cleans up after it."""
        try:
            isolation.map_user(self.user, self.group)
            upper = isolation.overlay(self.directories, self.limits["disk_bytes"] >> 20)
            os.chdir(ROOT)
            path = os.path.join(ROOT, request["path"])
            if request["source"] is not None:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if os.path.lexists(path):
                    os.unlink(path)
                with open(path, "x", encoding="utf-8", newline="") as file:
                    file.write(request["source"])
            output, report = os.pipe(), os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    os.close(output[0])
                    os.close(report[0])
                    self.test(request, path, output[1], report[1])
                finally:
                    os._exit(70)
            os.close(output[1])
            os.close(report[1])

            def hear(pipe):
                data = os.read(pipe, 1 << 16)
                if pipe == output[0]:
                    found.output = (found.output + data)[-LOG_BYTES:]
                elif len(found.report) < REPORT_BYTES:
                    found.report += data
                return data

            pipes = (output[0], report[0])
            found.status = isolation.wait_for(child, request["seconds"], hear, pipes)
            try:
                os.kill(-1, signal.SIGKILL)
                while True:
                    os.wait()
            except (ProcessLookupError, ChildProcessError):
                pass
            # Nobody is left who could write.
            for pipe in pipes:
                while hear(pipe):
                    pass
            found.wrote = isolation.written(upper[ROOT])
            if request["source"] is not None:
                found.wrote = [name for name in found.wrote if name != request["path"]]
        except BaseException as error:
            found.failed = f"{type(error).__name__}: {error}"

    def test(self, request, path, output, report):
        os.setsid()
        capture = self.config.pluginmanager.getplugin("capturemanager")
        if capture is not None:
            capture.stop_global_capturing()
        os.dup2(output, 1)
        os.dup2(output, 2)
        for number in (output, *self.private):
            os.close(number)
        if capture is not None:
            capture.start_global_capturing()
            capture.suspend_global_capture()
        isolation.limit_process(self.limits)
        isolation.drop_privileges()
        begun = self.session if self.early else session.begin(self.config)
        function, order = request["function"], request["order"]
        summary = session.run(begun, path, function, self.tracer.stop, order, self.folder)
        summary["nonce"] = request["nonce"]
        sys.stdout.flush()
        sys.stderr.flush()
        message = json.dumps(summary).encode()
        while message:
            message = message[os.write(report, message) :]
        os._exit(0)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        setting = json.load(file)
    for file in setting["statements"].values():
        file["known"] = set(file["statements"])
        file["first"] = {line: first for line, first in file["first"]}
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    os.close(nothing)
    os.chdir(ROOT)
    sys.path[:] = setting["path"] + [path for path in sys.path if path != os.path.dirname(__file__)]
    zygote = Zygote(setting, (requests, answers))

    def answer(message):
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(answers, data) :]

    try:
        if not zygote.load():
            os.dup2(requests, 0)
            os.dup2(answers, 1)
            os.execv(sys.executable, [sys.executable, *sys.argv, "late"])
    except BaseException as error:
        answer({"failed": f"{type(error).__name__}: {error}"})
        return
    answer({"base": zygote.statements(zygote.base)})
    with open(requests, encoding="utf-8") as lines:
        for line in lines:
            answer(zygote.run(json.loads(line)))


if __name__ == "__main__":
    main()
