"""Which lines of the source files run, as bytes in memory that a forked child shares with its parent.

From Python 3.12 on the events of `sys.monitoring` are switched on for the code objects of source files alone, and
each is disabled once it was seen; before that, a trace function does the same, slower.
"""

import mmap
import sys
import threading
from importlib.machinery import SourceFileLoader

from _pytest.assertion import rewrite

MONITORING = hasattr(sys, "monitoring")
TOOL = 4  # no number that coverage.py, profilers or debuggers take for themselves


class Tracer:
    """`lengths`: lines of each source file by its absolute path."""

    def __init__(self, lengths):
        self.offsets = {}
        total = 0
        for path, length in sorted(lengths.items()):
            self.offsets[path] = total
            total += length + 1
        self.lengths = lengths
        self.seen = mmap.mmap(-1, max(total, 1))
        self.waiting = []
        self.on = False

    def prepare(self):
        """Remembers the code of source files from now on; records nothing yet."""
        if not MONITORING:
            return
        monitoring = sys.monitoring
        monitoring.use_tool_id(TOOL, "trefoil")
        seen, offsets, disable = self.seen, self.offsets, monitoring.DISABLE

        def line(code, number):
            seen[offsets[code.co_filename] + number] = 1
            return disable

        monitoring.register_callback(TOOL, monitoring.events.LINE, line)

        def traced(load):
            def load_traced(*arguments, **named):
                loaded = load(*arguments, **named)
                code = loaded[-1] if isinstance(loaded, tuple) else loaded
                if code is not None and code.co_filename in offsets:
                    self.add(code)
                return loaded

            return load_traced

        SourceFileLoader.get_code = traced(SourceFileLoader.get_code)
        # pytest loads what its configuration takes for tests by itself: with `python_files = *` the source, too.
        for name in ("_read_pyc", "_rewrite_test"):
            setattr(rewrite, name, traced(getattr(rewrite, name)))

    def add(self, code):
        """Traces a code object and all that it holds."""
        if not self.on:
            self.waiting.append(code)
            return
        kind = type(code)
        stack = [code]
        while stack:
            code = stack.pop()
            sys.monitoring.set_local_events(TOOL, code, sys.monitoring.events.LINE)
            stack.extend(constant for constant in code.co_consts if type(constant) is kind)

    def start(self):
        """Records from now on."""
        self.on = True
        if MONITORING:
            for code in self.waiting:
                self.add(code)
            self.waiting.clear()
        else:
            function = self._trace_function()
            threading.settrace(function)
            sys.settrace(function)

    def _trace_function(self):
        seen, offsets, lengths = self.seen, self.offsets, self.lengths

        def call(frame, event, argument):
            path = frame.f_code.co_filename
            offset = offsets.get(path)
            if offset is None:
                return None
            length = lengths[path]

            def line(frame, event, argument):
                if event == "line" and frame.f_lineno <= length:
                    seen[offset + frame.f_lineno] = 1
                return line

            return line

        return call

    def stop(self):
        """Records no more."""
        if MONITORING:
            if sys.monitoring.get_tool(TOOL) == "trefoil":
                sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, None)
        else:
            threading.settrace(None)
            sys.settrace(None)

    def forget(self):
        """Empties the record."""
        self.seen[:] = bytes(len(self.seen))

    def restart(self):
        """Empties the record and has every line reported anew."""
        self.forget()
        if MONITORING:
            sys.monitoring.restart_events()

    def lines(self):
        """Lines seen since the record was emptied, by path; files without any are left out."""
        record = self.seen[:]
        found = {}
        for path, offset in self.offsets.items():
            numbers = []
            end = offset + self.lengths[path] + 1
            at = record.find(1, offset, end)
            while at >= 0:
                numbers.append(at - offset)
                at = record.find(1, at + 1, end)
            if numbers:
                found[path] = numbers
        return found
