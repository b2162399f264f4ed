"""What a Python project says of itself, read without running anything of it.

`project.py ROOT` prints one JSON object: the Python that it asks for, what it names for its tests (requirement files,
extras, groups), the options of its pytest configuration that change what runs, its source and its test files.
"""

import configparser
import fnmatch
import json
import os
import re
import sys
import tomllib

TESTING = re.compile(r"(?i)(^|[-_./])(tests?|testing|dev|develop|development|ci|all|full)($|[-_./0-9])")
OTHER_PURPOSE = re.compile(r"(?i)doc|lint|typing|mypy|style|format|bench|release|publish|deploy|(^|[-_./])(min|minimal|lowest|skip)($|[-_./])")
NO_SOURCE = re.compile(
    r"(?i)^(tests?|testing_?|test_.*|.*_tests?|docs?|examples?|samples?|benchmarks?|scripts?|tools?|build|dist|noxfile|"
    r"tasks|setup|conftest|utils|artwork|requirements|licenses?|ci|t|perf|profiling|winbuild|depends|checks|"
    r"_custom_build|.*\.egg-info|node_modules|\..*)$"
)
PATTERNS = ("test_*.py", "*_test.py")
# Folders that pytest does not look into unless a project says otherwise; names with a dot in front never count here.
NOT_VISITED = ("*.egg", "_darcs", "build", "CVS", "dist", "venv", "{arch}")
# Tests of these names wait for services that are not there: last, so that a trial that is stopped has seen the others.
NEEDS_SERVICES = re.compile(r"(?i)(^|[/_])(integration|functional|e2e|end_to_end|system|live)(_?tests?)?[/_.]")
# Files of settings that a person makes of a template (`secrets.py-dist`) before running the tests.
TEMPLATE = re.compile(r"(?i)(.+\.(?:py|ini|cfg|conf|toml|json|ya?ml))[-._](?:dist|example|sample|template)")
# Tests inside a package, and other people's code in it.
NOT_OWN = {"test", "tests", "__pycache__", "_vendor", "_vendored", "vendor", "vendored", "third_party"}


def read(root, name):
    try:
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def toml(root):
    try:
        return tomllib.loads(read(root, "pyproject.toml"))
    except tomllib.TOMLDecodeError:
        return {}


def ini(root, name):
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(read(root, name))
    except configparser.Error:
        return {}
    return {section: dict(parser[section]) for section in parser.sections()}


def section(table, *keys):
    for key in keys:
        table = table.get(key, {}) if isinstance(table, dict) else {}
    return table


def walk(root):
    """Files by relative path, in order; folders of tools and links left out."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not name.endswith(".egg-info") and name not in ("__pycache__", "node_modules")
        )
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), root)
            if not os.path.islink(os.path.join(root, path)):
                yield path


def test_requirement_files(paths):
    """Requirement files for everybody first, then those named for tests; pinned ones (.txt) before loose ones."""
    plain, testing = [], []
    for path in paths:
        folder, name = os.path.split(path)
        if not name.endswith((".txt", ".pip")) or folder.count("/") > 1:
            continue
        about = f"{folder}/{name.rsplit('.', 1)[0]}"
        if "requirement" not in about.lower():
            continue
        if OTHER_PURPOSE.search(about):
            continue
        purpose = about.lower().replace("requirements", "").strip("/-_.")
        if purpose in ("", "default", "base", "main", "runtime", "common", "core"):
            plain.append(path)
        elif TESTING.search(purpose):
            testing.append(path)
    return plain + testing


def named_for_tests(names):
    chosen = [name for name in names if TESTING.search(name) and not OTHER_PURPOSE.search(name)]
    return sorted(chosen)


def option_list(value):
    import shlex

    if isinstance(value, list):
        return [str(word) for word in value]
    try:
        return shlex.split(value or "", comments=True)
    except ValueError:
        return []


def pytest_configuration(root):
    """The section that pytest would take, by its own order of files."""
    own = section(toml(root), "tool", "pytest")
    found = ini(root, "pytest.ini").get("pytest") or own.get("ini_options", own)
    return found or ini(root, "tox.ini").get("pytest") or ini(root, "setup.cfg").get("tool:pytest") or {}


def kept_options(words):
    """Of the options that a project adds: those that change what is loaded, none that report, select or measure."""
    kept = []
    words = iter(words)
    for word in words:
        if word == "-p":
            name = next(words, "")
            if name and not re.match(r"no:|xdist|pytest_cov|cov", name):
                kept += ["-p", name]
        elif word.startswith("--import-mode") or word.startswith("--asyncio-mode"):
            kept += [word] if "=" in word else [word, next(words, "")]
    return kept


def words_of(value):
    return value if isinstance(value, list) else str(value or "").split()


def is_source(path):
    folders = path.split("/")[:-1]
    name = os.path.basename(path)
    return not (
        any(folder.lower() in NOT_OWN for folder in folders[1:])
        or is_test(path, PATTERNS)
        or name == "conftest.py"
    )


def source_files(paths):
    """Files of the project's own packages: below `src` or `lib`, else packages and modules of the top folder."""
    python = [path for path in paths if path.endswith(".py")]
    for place in ("src/", "lib/"):
        below = [path for path in python if path.startswith(place)]
        if any(path.count("/") >= 2 and path.endswith("/__init__.py") for path in below) or (
            place == "src/" and below
        ):
            return [path for path in below if is_source(path)]
    packages = {
        path.split("/")[0]
        for path in python
        if path.count("/") == 1 and path.endswith("/__init__.py") and not NO_SOURCE.match(path.split("/")[0])
    }
    chosen = [path for path in python if path.split("/")[0] in packages and "/" in path]
    if not chosen:
        chosen = [
            path
            for path in python
            if not NO_SOURCE.match(path.split("/")[0].removesuffix(".py"))
        ]
    return [path for path in chosen if is_source(path)]


def is_test(path, patterns):
    """As pytest decides: a pattern without a folder is for the file's name. Modules that hold no tests are none."""
    name = os.path.basename(path)
    return (
        name.endswith(".py")
        and name not in ("conftest.py", "__init__.py", "setup.py")
        and any(fnmatch.fnmatch(path if "/" in pattern else name, pattern) for pattern in patterns)
    )


def is_visited(path, patterns):
    """As pytest decides: a pattern without a folder is for a folder's name, another for the end of its path."""
    folder = os.path.dirname(path)
    while folder:
        for pattern in patterns:
            if fnmatch.fnmatch(f"/{folder}", f"*/{pattern}"):
                return False
        folder = os.path.dirname(folder)
    return True


def test_files(paths, patterns, folders):
    """Files of the project's patterns or pytest's own, in the folders that its pytest looks in where it names any."""
    found = [path for path in paths if is_test(path, patterns or PATTERNS)]
    inside = [
        path for path in found if any(path == one or path.startswith(one.strip("./") + "/") for one in folders)
    ]
    # Patterns of a configuration that is for other folders find nothing.
    return inside or found or (test_files(paths, (), folders) if patterns else [])


def templates(paths, tests):
    """Templates beside test files, with the file that each is for where that is not there."""
    folders = {os.path.dirname(path) for path in tests}
    found = [(path, TEMPLATE.fullmatch(path)) for path in paths if os.path.dirname(path) in folders]
    return [[path, match.group(1)] for path, match in found if match and match.group(1) not in paths]


def describe(root):
    project = toml(root)
    setup = ini(root, "setup.cfg")
    poetry = section(project, "tool", "poetry")
    extras = set(section(project, "project", "optional-dependencies")) | set(setup.get("options.extras_require", {}))
    extras |= set(poetry.get("extras", {}))
    script = read(root, "setup.py")
    extras |= set(re.findall(r"""["'](tests?|testing|dev)["']\s*:\s*\[""", script))
    if "extras_require" not in script and not (extras - {"test", "tests", "testing", "dev"}):
        extras &= set(section(project, "project", "optional-dependencies")) | set(
            setup.get("options.extras_require", {})
        ) | set(poetry.get("extras", {}))
    asks = re.search(r"python_requires\s*=\s*[\"']([^\"']+)", script)
    poetry_groups = {"dev-dependencies": section(poetry, "dev-dependencies")} | {
        name: section(group, "dependencies") for name, group in section(poetry, "group").items()
    }
    pytest = pytest_configuration(root)
    tox = ini(root, "tox.ini")
    paths = list(walk(root))
    visited = [path for path in paths if is_visited(path, words_of(pytest.get("norecursedirs")) or NOT_VISITED)]
    tests = test_files(visited, words_of(pytest.get("python_files")), words_of(pytest.get("testpaths")))
    return {
        "requires_python": section(project, "project").get("requires-python")
        or setup.get("options", {}).get("python_requires")
        or (asks.group(1) if asks else ""),
        "installable": any(name in paths for name in ("pyproject.toml", "setup.py", "setup.cfg")),
        "requirement_files": test_requirement_files(paths),
        "extras": named_for_tests(extras),
        "groups": named_for_tests(section(project, "dependency-groups")),
        "other_requirements": poetry_requirements(poetry_groups) + tox_requirements(tox),
        "options": kept_options(option_list(pytest.get("addopts"))),
        "sources": source_files(paths),
        "tests": sorted(tests, key=lambda path: (NEEDS_SERVICES.search(path) is not None, path)),
        "templates": templates(paths, tests),
    }


def poetry_requirements(groups):
    found = []
    for name, group in sorted(groups.items()):
        if name == "dev-dependencies" or (TESTING.search(name) and not OTHER_PURPOSE.search(name)):
            # Poetry's ranges are its own; the date keeps the versions near what was meant.
            found += [package for package in sorted(group) if package != "python"]
    return found


def tox_requirements(tox):
    found = []
    for line in tox.get("testenv", {}).get("deps", "").splitlines():
        line = line.strip()
        if line and not line.startswith(("#", "-", ".", "git+")) and ":" not in line.split(";")[0] and "{" not in line:
            found.append(line)
    return found


def requirement_lines(root, path, seen=()):
    """Single requirements of a file and of those that it includes, without options and the project itself."""
    lines = []
    for line in read(root, path).replace("\\\n", " ").splitlines():
        line = re.split(r"(?:^|\s)#|\s--hash", line)[0].strip()
        include = re.match(r"(?:-r|--requirement)[\s=]*(.+)", line)
        if include:
            other = os.path.normpath(os.path.join(os.path.dirname(path), include.group(1)))
            if other not in seen and not other.startswith(("..", "/")):
                lines += requirement_lines(root, other, (*seen, other))
        elif line and not line.startswith(("-", ".", "/")):
            lines.append(line)
    return lines


if __name__ == "__main__":
    if len(sys.argv) > 2:
        json.dump(requirement_lines(sys.argv[1], sys.argv[2]), sys.stdout)
    else:
        json.dump(describe(sys.argv[1]), sys.stdout)
