"""Statements of source files as coverage.py counts them, without running them.

`statements.py ROOT PATH...` prints {path: {length, statements, first}}: `first` names the first line of the statement
of each line that is not one itself. Files that do not parse have no statements.
"""

import json
import os
import sys


def statements(root, paths):
    import coverage
    from coverage.python import PythonFileReporter

    settings = coverage.Coverage(data_file=None, config_file=False)
    table = {}
    for path in paths:
        reporter = PythonFileReporter(os.path.join(root, path), coverage=settings)
        try:
            length = reporter.source().count("\n") + 1
            known = reporter.lines()
            first = [
                (line, other)
                for line in range(1, length + 1)
                for other in reporter.translate_lines([line])
                if other != line
            ]
        except (coverage.exceptions.CoverageException, SyntaxError, ValueError, OSError):
            length, known, first = 0, set(), []
        table[path] = {"length": length, "statements": sorted(known), "first": first}
    return table


if __name__ == "__main__":
    json.dump(statements(sys.argv[1], [line.rstrip("\n") for line in sys.stdin]), sys.stdout)
