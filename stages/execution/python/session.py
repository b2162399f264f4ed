"""One pytest session over one file in this process, reported item by item."""

import pytest


class Reporter:
    """Turns pytest's reports into (item, outcome, detail) and hands them to `tell` at the end."""

    def __init__(self, function, finished):
        self.function = function
        self.finished = finished
        self.items = {}
        self.detail = ""
        self.broken = False

    def pytest_collection_modifyitems(self, session, config, items):
        if self.function:
            chosen = [item for item in items if belongs_to(item, self.function)]
            config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
            items[:] = chosen

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


def run(config, path, function, finished):
    """Runs a file under a configuration that has loaded its conftest files. Returns the summary."""
    reporter = Reporter(function, finished)
    config.args = [path]
    config.option.file_or_dir = [path]
    config.pluginmanager.register(reporter, "trefoil-reporter")
    try:
        status = config.hook.pytest_cmdline_main(config=config)
    finally:
        config._ensure_unconfigure()
    summary = reporter.summary()
    if int(status) not in (0, 1, 5) and summary["outcome"] in ("passed", "skipped"):
        summary["outcome"] = "error"
        summary["detail"] = summary["detail"] or f"pytest ended with status {int(status)}"
    return summary
