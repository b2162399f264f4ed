"""Git repositories on this disk behind the stand-in for GitHub; for run_over_stand_in and bench_clone."""

import pathlib
import subprocess

LANGUAGES = {"C#": (".cs",), "Go": (".go",), "Java": (".java",), "Python": (".py",),
             "JavaScript": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx")}


def git(repository, *arguments):
    command = ["git", "-c", "safe.directory=*", "-C", str(repository), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def is_bare(folder):
    return all((folder / name).exists() for name in ("HEAD", "objects", "refs"))


def repositories(folder):
    """Bare repositories below a folder, by the name that they shall have: `owner/name`."""
    found = {}
    for place in sorted(folder.glob("*")) + sorted(folder.glob("*/*")) + sorted(folder.glob("*/.git")):
        if not place.is_dir() or not is_bare(place):
            continue
        own = place.parent if place.parent != folder else place
        owner, _, name = own.name.removesuffix(".git").rpartition("+")
        found.setdefault(f"{owner or 'local'}/{name}", place.resolve())
    return found


def facts(place):
    """Commit, branch, language and size of a repository; None where it has no language of ours, or not all files."""
    if git(place, "rev-list", "--objects", "--no-walk", "--quiet", "HEAD") is None:
        return None
    commit, branch = git(place, "rev-parse", "HEAD^{commit}"), git(place, "symbolic-ref", "--short", "HEAD")
    listing = git(place, "ls-tree", "-r", "-l", "HEAD") if commit else None
    if listing is None:
        return None
    sizes = dict.fromkeys(LANGUAGES, 0)
    for line in listing.splitlines():
        head, _, path = line.partition("\t")
        size = head.split()[-1]
        for language, endings in LANGUAGES.items():
            if size.isdigit() and path.endswith(endings):
                sizes[language] += int(size)
    language = max(sizes, key=sizes.get)
    return (commit.strip(), (branch or "main").strip(), language, sizes[language]) if sizes[language] else None


class StandIn:
    """The stand-in at work, for the length of a `with`."""

    def __init__(self, program, work, places):
        self.facts = {name: known for name, place in places.items() if (known := facts(place))}
        root, listing = work / "served", work / "served.tsv"
        for name in self.facts:
            link = root / f"{name}.git"
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(places[name])
        lines = ["\t".join(map(str, (name, *known))) for name, known in self.facts.items()]
        listing.write_text("".join(f"{line}\n" for line in lines))
        self.command = [str(program), str(root), str(listing)]

    def __enter__(self):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True)
        self.url = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def served(self):
        """Requests and bytes that were answered so far."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        requests, size = self.process.stdout.readline().split()
        return int(requests), int(size)
