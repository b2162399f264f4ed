"""Cuts a test out of its module with the setup that it needs (CLOVER, section 2.1: problem extraction).

Nothing is run or rewritten: whole statements and methods of the source are left out, line by line, so that what
stays is the author's text. What a test needs is found by names: a statement of the module stays where it binds a
name that something that stays mentions. Text counts as a mention where it is a whole name, since fixtures are asked
for by text too. Statements that bind nothing (calls such as `importorskip`) stay.

`cut.py ROOT` reads paths from standard input and prints one JSON object a test: both cuts, so that the wider one is
there where the narrower one does not run as the original does.
"""

import ast
import collections
import json
import os
import sys

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
SETUP_METHODS = {"setUp", "tearDown", "setUpClass", "tearDownClass", "asyncSetUp", "asyncTearDown", "runTest"}
SETUP_FUNCTIONS = {
    stem + part
    for stem in ("setup", "teardown")
    for part in ("", "_module", "_function", "_class", "_method")
} | {"setUpModule", "tearDownModule", "load_tests"}
REFLECTIVE = {"globals", "locals", "vars", "eval", "exec", "inspect"}


def is_test(node):
    return isinstance(node, FUNCTIONS) and node.name.startswith("test")


def tests(body, classes=()):
    """Test functions with the classes around them, in order; nested classes too, nested functions not."""
    for node in body:
        if is_test(node):
            yield classes, node
        elif isinstance(node, ast.ClassDef):
            yield from tests(node.body, (*classes, node))
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(node, part, []):
                    nested = inner.body if isinstance(inner, ast.ExceptHandler) else [inner]
                    yield from tests(nested, classes)


def first_line(node):
    """First line of a statement, its decorators included."""
    return min([node.lineno] + [decorator.lineno for decorator in getattr(node, "decorator_list", [])])


def mentions(node):
    """Names that a piece of source mentions: identifiers, parameters, attributes and texts that are a name."""
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, ast.arg):
            names.add(part.arg)
        elif isinstance(part, ast.Attribute):
            names.add(part.attr)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            names.update(word for word in part.value.replace(",", " ").split() if word.isidentifier())
            # An annotation or an expression as text.
            if len(part.value) < 200 and not part.value.isidentifier():
                names.update(word for word in split_words(part.value) if word.isidentifier())
        elif isinstance(part, (ast.Global, ast.Nonlocal)):
            names.update(part.names)
    return names


def split_words(text):
    return "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text).split()


def binds(node):
    """Names that a statement of a module or class binds."""
    if isinstance(node, DEFINITIONS):
        names = {node.name}
        for decorator in node.decorator_list:
            # `@pytest.fixture(name="other")`
            for keyword in getattr(decorator, "keywords", []):
                if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                    names.add(str(keyword.value.value))
        return names
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)):
            names.add(part.id)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            names.update(binds(part))
        elif isinstance(part, DEFINITIONS):
            names.add(part.name)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        # `settings["a"] = 1` and `thing.attribute = 1` belong to what they change.
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            while isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
                target = target.value
            if isinstance(target, ast.Name):
                names.add(target.id)
    return names


def is_autouse(node):
    return any(
        keyword.arg == "autouse"
        for decorator in getattr(node, "decorator_list", [])
        for keyword in getattr(decorator, "keywords", [])
    )


class Module:
    """A parsed test module: its statements and the members of its classes are what can stay or go."""

    def __init__(self, source):
        self.lines = source.splitlines(keepends=True)
        self.tree = ast.parse(source)
        self.tests = list(tests(self.tree.body))
        self.memory = {}
        self.binders = {}
        for node in self.tree.body:
            for name in binds(node):
                self.binders.setdefault(name, []).append(node)
        # How many units mention a name, so that it is cheap to ask whether others do.
        self.count = collections.Counter()
        for unit in self.units(self.tree.body):
            self.count.update(self.mentions(unit))
        self.bodies = [
            (outer, body)
            for outer in ast.walk(self.tree)
            if outer is not self.tree
            for part in ("body", "orelse", "finalbody")
            for body in [getattr(outer, part, None)]
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt)
        ]
        self.anchors = [node for node in self.tree.body if self.always(node)]

    def units(self, body):
        for node in body:
            yield node
            if isinstance(node, ast.ClassDef):
                yield from self.units(node.body)

    def mentions(self, unit):
        """What a unit mentions: of a class its head alone, since its members are units of their own."""
        names = self.memory.get(id(unit))
        if names is None:
            if isinstance(unit, ast.ClassDef):
                head = [*unit.bases, *unit.keywords, *unit.decorator_list]
                names = set().union(*map(mentions, head))
            else:
                names = mentions(unit)
            self.memory[id(unit)] = names
        return names

    def others_mention(self, unit, name):
        return self.count[name] > (name in self.mentions(unit))

    def always(self, node):
        """True for statements of the module that stay whatever the test needs."""
        if isinstance(node, ast.ImportFrom) and (
            node.module == "__future__" or any(alias.name == "*" for alias in node.names)
        ):
            return True
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            # Names that nobody mentions: it is there for what it does.
            return not any(self.others_mention(node, name) for name in binds(node))
        if isinstance(node, ast.ClassDef):
            return False
        if isinstance(node, FUNCTIONS):
            return node.name in SETUP_FUNCTIONS or node.name.startswith("pytest_") or is_autouse(node)
        names = binds(node)
        return not names or bool(names & {"pytestmark", "pytest_plugins", "__test__"})

    def narrow(self, classes, test):
        """What goes where only what the test needs may stay."""
        chain = {id(node) for node in (*classes, test)}
        kept, names, waiting = set(), set(), list(self.anchors)
        waiting += [node for node in self.tree.body if id(node) in chain]
        if not any(id(node) in chain for node in self.tree.body):
            # It stands in an `if` or `try` of the module.
            waiting += [node for node in self.tree.body if any(part is test for part in ast.walk(node))]
        kept_classes = []
        while waiting:
            node = waiting.pop()
            if id(node) in kept:
                continue
            kept.add(id(node))
            fresh = self.mentions(node) - names
            names |= fresh
            if fresh & REFLECTIVE:
                return self.wide(classes, test)
            if isinstance(node, ast.ClassDef):
                kept_classes.append(node)
                waiting += [member for member in node.body if self.stays(member, chain, names)]
                if node is (classes[0] if classes else None):
                    waiting += self.heirs(node.name)
            for name in fresh:
                waiting += self.binders.get(name, [])
            for outer in kept_classes:
                waiting += [member for member in outer.body if getattr(member, "name", None) in fresh]
        gone = [node for node in self.tree.body if id(node) not in kept]
        for outer in kept_classes:
            gone += [member for member in outer.body if id(member) not in kept]
        return gone + self.tests_in_blocks(chain, names)

    def stays(self, member, chain, names):
        """True for members that a class keeps whatever the test needs, and for those already asked for."""
        if id(member) in chain or not isinstance(member, DEFINITIONS):
            return True
        name = member.name
        if name in names:
            return True
        if isinstance(member, ast.ClassDef):
            return False
        return name in SETUP_METHODS | SETUP_FUNCTIONS or name.startswith("__") or is_autouse(member)

    def tests_in_blocks(self, chain, names):
        """Other tests inside an `if`, `try` or `with`, which stays or goes as a whole otherwise."""
        direct = {id(unit) for unit in self.units(self.tree.body)}
        return [
            test
            for _, test in self.tests
            if id(test) not in direct and id(test) not in chain and test.name not in names
        ]

    def wide(self, classes, test):
        """What goes where only other tests go, unless something mentions them."""
        return [
            other for _, other in self.tests if other is not test and not self.others_mention(other, other.name)
        ]

    def heirs(self, name):
        """Classes that run the test as theirs, where the class itself may not be collected."""
        return [
            node
            for node in self.tree.body
            if isinstance(node, ast.ClassDef) and any(name in mentions(base) for base in node.bases)
        ]

    def without(self, gone, test):
        """The source without these statements, the span of the test in it and the first line of its body."""
        removed, passes = set(), {}
        marks = {id(node) for node in gone}
        for node in gone:
            removed.update(range(self.start(node), node.end_lineno + 1))
        for outer, body in self.bodies:
            if id(outer) not in marks and all(id(node) in marks for node in body):
                passes[self.start(body[0])] = " " * body[0].col_offset + "pass\n"
        kept, places = [], {}
        gap = None  # blank lines before what was removed, while we are behind it
        for number, line in enumerate(self.lines, 1):
            if number in passes:
                kept.append(passes[number])
            if number in removed:
                if gap is None:
                    gap = 0
                    while kept and not kept[-1].strip():
                        kept.pop()
                        gap += 1
                else:
                    gap = max(gap, after)
                after = 0
            elif gap is not None and not line.strip():
                after += 1
            else:
                if gap is not None and kept and not kept[-1].rstrip().endswith(":"):
                    kept.extend(["\n"] * max(gap, after))
                gap = None
                kept.append(line)
                places[number] = len(kept)
        while kept and not kept[-1].strip():
            kept.pop()
        span = (places.get(first_line(test), 0), places.get(test.end_lineno, 0))
        return {"source": "".join(kept), "span": span, "body": places.get(test.body[0].lineno, 0)}

    def start(self, node):
        """First line that belongs to a statement: its decorators and the comments right above them."""
        line = first_line(node)
        while line > 1 and self.lines[line - 2].lstrip().startswith("#"):
            above = self.lines[line - 2]
            if len(above) - len(above.lstrip()) != node.col_offset:
                break
            line -= 1
        return line


def cuts(path, source):
    """Every test of a module, cut narrowly and widely."""
    module = Module(source)
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    stem = stem[len("test_") :] if stem.startswith("test_") else stem
    identities = ["::".join([*[node.name for node in classes], test.name]) for classes, test in module.tests]
    for number, (classes, test) in enumerate(module.tests):
        names = [node.name for node in classes]
        yield {
            "id": f"{path}::{identities[number]}",
            "test_path": path,
            "path": os.path.join(folder, f"tmp_test_{stem}_{number:04}.py"),
            "classes": names,
            "function": test.name,
            "again": identities[number] in identities[number + 1 :],
            "cuts": [module.without(way(classes, test), test) for way in (module.narrow, module.wide)],
        }


def main(root):
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
                for row in cuts(path, file.read()):
                    print(json.dumps(row))
        except (SyntaxError, ValueError, RecursionError, OSError) as error:
            print(json.dumps({"test_path": path, "failed": f"{type(error).__name__}: {error}"}))


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    main(sys.argv[1])
