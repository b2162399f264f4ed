"""Trees of our parser against those of tree-sitter. Called by scripts/check_trees, which see."""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import export, find_clones

CHARACTERS = "(){}[]<>;,.:=&|*+-\"'/ \tx1é"


def edit(lines, chance):
    """One change to a line or two."""
    at = chance.randrange(len(lines))
    words = lines[at].split(" ")
    place = chance.randrange(len(lines[at]) + 1)
    match chance.randrange(6):
        case 0 if len(lines) > 1:
            del lines[at]
        case 1:
            lines.insert(at, chance.choice(lines))
        case 2 if len(words) > 2:
            word = chance.randrange(len(words) - 1)
            words[word], words[word + 1] = words[word + 1], words[word]
            lines[at] = " ".join(words)
        case 3 if len(words) > 2:
            del words[chance.randrange(len(words))]
            lines[at] = " ".join(words)
        case 4:
            lines[at] = lines[at][:place] + lines[at][place + 1 :]
        case _:
            lines[at] = lines[at][:place] + chance.choice(CHARACTERS) + lines[at][place:]


def put_edited(folder, copies):
    """Copies of each text, edited, instead of the text."""
    chance = random.Random(7)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            continue
        path.unlink()
        for number in range(copies):
            edited = list(lines)
            for _ in range(chance.choice([1, 1, 1, 3])):
                edit(edited, chance)
            path.with_name(f"{number}{path.name}").write_text("\n".join(edited), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="check_trees", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--edits", type=int, default=0, help="edited copies of each file (default: none, the file)")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trefoil-trees-") as temporary:
        folder = Path(temporary)
        for number, clone in enumerate(find_clones(options.clones)):
            export(clone, os.path.join(temporary, f"{number:04}"))
        if options.edits:
            put_edited(folder, options.edits)
        sys.exit(subprocess.run([options.program, folder]).returncode)


if __name__ == "__main__":
    main()
