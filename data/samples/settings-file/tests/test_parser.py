import asyncio
from unittest import mock

import pytest

from settings.parser import (
    SettingsError,
    convert_value,
    expand_references,
    load_settings,
    merge_settings,
    override_from_environment,
    parse_settings,
    strip_comment,
)

EXAMPLE = """
name = demo   # the name
[server]
port = 8080
debug = false
"""


@pytest.fixture(scope="module")
def parsed():
    return parse_settings(EXAMPLE)


def test_strip_comment():
    assert strip_comment("a = 1 # one") == "a = 1"
    assert strip_comment('a = "#1"') == 'a = "#1"'


@pytest.mark.parametrize(
    "text, value",
    [("1", 1), ("1.5", 1.5), ("true", True), ('"1"', "1"), ("word", "word")],
    ids=["int", "float", "bool", "quoted", "plain"],
)
def test_convert_value(text, value):
    assert convert_value(text) == value


def test_expand_references():
    assert expand_references("${host}:${port}", {"host": "here"}) == "here:${port}"


def test_parse_settings(parsed):
    assert parsed[""] == {"name": "demo"}
    assert parsed["server"] == {"port": 8080, "debug": False}


def test_merge_settings(parsed):
    merged = merge_settings(parsed, {"server": {"port": 1}})
    assert merged["server"]["port"] == 1
    assert parsed["server"]["port"] == 8080


def test_load_settings(tmp_path):
    first, second = tmp_path / "a.conf", tmp_path / "b.conf"
    first.write_text(EXAMPLE)
    second.write_text("[server]\nport = 9\n")
    loaded = asyncio.run(load_settings(first, second))
    assert loaded["server"] == {"port": 9, "debug": False}


@mock.patch.dict("os.environ", {"APP_PORT": "7"})
def test_override_from_environment():
    assert override_from_environment({"port": 1}) == {"port": 7}


@pytest.mark.parametrize("text", ["[open", "no equals sign"])
def test_errors_name_the_line(text):
    with pytest.raises(SettingsError) as caught:
        parse_settings("\n" + text)
    assert caught.value.line_number == 2
