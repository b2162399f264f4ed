"""Runs of the program over real repositories, for the scripts that compare what comes out with what is known."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def quote(text):
    """`text` as a TOML string."""
    return json.dumps(str(text), ensure_ascii=False)


def config_text(output, repositories, modes, matching):
    """The text of a config: the only place in the scripts that knows its keys.

    `repositories` are pairs of a record with `name` and `revision` and the path of its clone; `modes` are modes of
    matching by language, none for those that the program takes by default; `matching` are tables of settings by name.
    """
    lines = ["[run]", f"output = {quote(output)}", ""]
    for repository, path in repositories:
        lines += [
            "[[repositories]]",
            f"location = {quote(path)}",
            f"name = {quote(repository['name'])}",
            'host = "github.com"',
            f"revision = {quote(repository['revision'])}",
            "",
        ]
    if modes:
        lines += ["[matching.modes]", *(f"{language} = {quote(mode)}" for language, mode in modes.items()), ""]
    for table, settings in (matching or {}).items():
        lines += [f"[matching.{table}]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items()), ""]
    return "\n".join(lines)


def search_config_text(output, shards, url, languages):
    """The text of a config that searches the server at `url` for all repositories in `languages` and keeps no clone."""
    lines = ["[run]", f"output = {quote(output)}", f"shards = {shards}", "", "[github]", "search = true"]
    lines += [f"api = {quote(url)}", f"web = {quote(url)}", "", "[github.facets]"]
    lines += [f"languages = {json.dumps(languages)}", "", "[cloning]", 'keep = "none"', ""]
    return "\n".join(lines)


def find_clone(clones, name):
    """The bare clone of `owner/name` in the directory `clones`, or None."""
    owner, short = name.split("/")
    candidates = [f"{owner}+{short}/repo", f"{owner}+{short}.git", f"{owner}/{short}.git", f"{short}.git"]
    for candidate in candidates:
        path = clones / candidate
        if (path / "HEAD").is_file():
            return path.resolve()
    return None


def trefoil(*arguments):
    """Carries out the program; answers its exit code."""
    command = ["cargo", "run", "-q", "--", *map(str, arguments)]
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, cwd=ROOT).returncode


def run(name, runs, repositories, modes, matching=None):
    """Makes the run `name` in the directory `runs`; answers its folder, or None when the program failed.

    A repository that failed (exit code 1) is named by the program and missed by who reads the run.
    """
    runs.mkdir(parents=True, exist_ok=True)
    config, output = runs / f"{name}.toml", runs / name
    config.write_text(config_text(output, repositories, modes, matching), encoding="utf-8")
    return output if trefoil("run", config) in (0, 1) else None
