"""Settings in sections of `key = value` lines."""

import asyncio
import os
import re
from pathlib import Path

_REFERENCE = re.compile(r"\$\{(\w+)\}")


class SettingsError(Exception):
    def __init__(self, line_number, message):
        super().__init__(f"line {line_number}: {message}")
        self.line_number = line_number


def strip_comment(line):
    """Cut a comment off, but not inside quotes."""
    quoted = False
    for position, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted:
            return line[:position].rstrip()
    return line.rstrip()


def convert_value(text):
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def expand_references(text, values):
    return _REFERENCE.sub(lambda match: str(values.get(match.group(1), match.group(0))), text)


def parse_settings(text):
    sections = {"": {}}
    current = sections[""]
    for number, raw in enumerate(text.splitlines(), start=1):
        line = strip_comment(raw).strip()
        if not line:
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise SettingsError(number, "the section is not closed")
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise SettingsError(number, "expected key = value")
        current[key.strip()] = convert_value(value.strip())
    return sections


def merge_settings(base, extra):
    merged = {name: dict(values) for name, values in base.items()}
    for name, values in extra.items():
        merged.setdefault(name, {}).update(values)
    return merged


async def load_settings(*paths):
    """Read several files at once; later ones win."""
    texts = await asyncio.gather(*(asyncio.to_thread(Path(path).read_text) for path in paths))
    merged = {}
    for text in texts:
        merged = merge_settings(merged, parse_settings(text))
    return merged


def override_from_environment(values, prefix="APP_"):
    result = dict(values)
    for name, text in os.environ.items():
        if name.startswith(prefix):
            result[name[len(prefix) :].lower()] = convert_value(text)
    return result
