"""What an installed project asks for, since some state it in ways that no installer but their own understands.

`metadata.py ROOT EXTRA...` prints the requirements of what is installed from ROOT, with those of these extras, as a
JSON list. It runs in the environment, whose pip knows how to read them.
"""

import importlib.metadata
import json
import os
import sys

from pip._vendor.packaging.requirements import InvalidRequirement, Requirement


def is_from(distribution, root):
    origin = json.loads(distribution.read_text("direct_url.json") or "{}").get("url", "")
    place = os.path.realpath(str(distribution.locate_file("")))
    return origin == f"file://{root}" or f"{place}/".startswith(f"{root}/")


def wanted(line, extras):
    """The requirement without its conditions, where they hold."""
    try:
        requirement = Requirement(line)
    except InvalidRequirement:
        return None
    marker, requirement.marker = requirement.marker, None
    holds = marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))
    return str(requirement) if holds else None


def requirements(root, extras):
    found = set()
    for distribution in importlib.metadata.distributions():
        if is_from(distribution, root):
            found |= {wanted(line, extras) for line in distribution.requires or ()}
    return sorted(found - {None})


if __name__ == "__main__":
    json.dump(requirements(os.path.realpath(sys.argv[1]), sys.argv[2:]), sys.stdout)
