"""One pytest session over one file in this process, reported item by item."""

import hashlib
from pathlib import Path

import pytest

VERSION = tuple(map(int, pytest.__version__.split(".")[:2]))


class Reporter:
    """Turns pytest's reports into (item, outcome, detail) and hands them to `tell` at the end."""

    def __init__(self, path, function, finished, order=None):
        self.path = path
        self.function = function
        self.order = order
        self.finished = finished
        self.items = {}
        self.detail = ""
        self.broken = False

    if VERSION >= (8, 0):

        @pytest.hookimpl(tryfirst=True)
        def pytest_ignore_collect(self, collection_path):
            # pytest makes nodes of all files of all folders on the way to the one that is asked for.
            other = str(collection_path)
            on_the_way = self.path == other or self.path.startswith(other + "/")
            return None if on_the_way or other.endswith("/__init__.py") else True

    def pytest_collection_modifyitems(self, session, config, items):
        if self.function:
            chosen = [item for item in items if belongs_to(item, self.function)]
            config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
            items[:] = chosen
        if self.order is not None:
            items.sort(key=self.place)

    def place(self, item):
        """In an order of this seed: classes stay together, as their set-up is for all of their tests."""
        around, _, name = item.nodeid.rpartition("::")
        return [hashlib.sha256(f"{self.order} {text}".encode()).digest() for text in (around, name)]

    def pytest_collectreport(self, report):
        if report.failed:
            self.broken = True
            self.explain(report)

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.partition("::")[2]
        outcome = self.items.get(name, "skipped")
        if report.failed:
            outcome = "failed" if report.when == "call" and outcome != "error" else "error"
            self.explain(report)
        elif report.when == "call" and outcome == "skipped":
            # Skipped in its body, or failed as was expected: the latter did run.
            expected = hasattr(report, "wasxfail")
            outcome = "passed" if report.passed or expected else "skipped"
        self.items[name] = outcome

    def explain(self, report):
        if not self.detail:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message if crash is not None else str(report.longrepr)
            lines = [line for line in text.splitlines() if line.strip()]
            self.detail = (lines[0] if crash is not None else lines[-1])[:400] if lines else ""

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session):
        yield
        # Here pytest-cov stops too: what a session does after its last test is nobody's.
        self.finished()

    def summary(self):
        outcomes = set(self.items.values())
        if self.broken or "error" in outcomes:
            outcome = "error"
        elif "failed" in outcomes:
            outcome = "failed"
        else:
            outcome = "passed" if "passed" in outcomes else "skipped"
        if outcome in ("failed", "error") and "MemoryError" in self.detail:
            outcome = "out_of_memory"
        return {"outcome": outcome, "detail": self.detail, "items": list(self.items.items())}


def belongs_to(item, function):
    return (getattr(item, "originalname", None) or item.name.partition("[")[0]) == function


def begin(config):
    """Configures plug-ins and starts a session, as far as that is the same for each file of a directory."""
    config._do_configure()
    session = pytest.Session.from_config(config)
    session.exitstatus = pytest.ExitCode.OK
    config.hook.pytest_sessionstart(session=session)
    return session


def reach(session, path):
    """The node of the folder that a file lies in, which is the same for each file of it.

    None before pytest 8, which makes no nodes of folders, and after 9.0: it reads the fixtures of conftest files as it
    collects their folders.
    """
    top = getattr(session.config.known_args_namespace, "confcutdir", None)
    if not (8, 0) <= VERSION <= (9, 0) or not top:
        return None
    node = session
    for folder in reversed(Path(path).parents):
        if node is not None and Path(top) in (folder, *folder.parents):
            node = node.ihook.pytest_collect_directory(path=folder, parent=node)
    return None if node is session else node


def collect(session, folder, path):
    """As `Session.perform_collect` for one file, without the folders on the way to it."""
    hook = session.config.hook
    session.items = []
    # Asked for by name, so it is a test file whatever it is called.
    session._initialpaths = frozenset([path])
    session._initialpaths_with_parents = frozenset([path, *path.parents])
    try:
        for module in folder.ihook.pytest_collect_file(file_path=path, parent=folder):
            session.items.extend(session.genitems(module))
        session.config.pluginmanager.check_pending()
        hook.pytest_collection_modifyitems(session=session, config=session.config, items=session.items)
    finally:
        hook.pytest_collection_finish(session=session)
    session.testscollected = len(session.items)
    return session.items


def run(session, path, function, finished, order=None, folder=None):
    """Runs a file in a session that has begun, its items in another order where there is a seed for one.

    `folder` is what `reach` found for it.
    """
    config = session.config
    if folder is not None:
        session.perform_collect = lambda: collect(session, folder, Path(path))
    reporter = Reporter(path, function, finished, order)
    config.args = [path]
    config.option.file_or_dir = [path]
    config.pluginmanager.register(reporter, "trefoil-reporter")
    problem = ""
    try:
        config.hook.pytest_collection(session=session)
        config.hook.pytest_runtestloop(session=session)
    except (pytest.UsageError, session.Failed, session.Interrupted, pytest.exit.Exception) as error:
        problem = f"{type(error).__name__}: {error}"
    except Exception as error:
        problem = f"pytest failed: {type(error).__name__}: {error}"
    summary = reporter.summary()
    if problem and summary["outcome"] in ("passed", "skipped"):
        summary.update(outcome="error", detail=summary["detail"] or problem)
    if summary["outcome"] != "passed":
        # It prints what failed; what it does besides is of no interest any more.
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        try:
            config.hook.pytest_sessionfinish(session=session, exitstatus=session.exitstatus)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return summary
