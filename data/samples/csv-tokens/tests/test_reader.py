import pytest

from csvtokens import Dialect, TableReader, parse_header, sniff_delimiter
from csvtokens.reader import TokenError

SEMICOLON = Dialect(delimiter=";")


def make_reader(**options):
    return TableReader(Dialect(**options))


def test_parse_header():
    assert parse_header("Name, Age ,CITY\n") == ["name", "age", "city"]


def test_parse_header_twice():
    with pytest.raises(ValueError):
        parse_header("a,a")


def test_sniff_delimiter():
    assert sniff_delimiter("a;b;c,d") == ";"


class TestDialect:
    def test_needs_quotes(self):
        assert SEMICOLON.needs_quotes("a;b")
        assert not SEMICOLON.needs_quotes("a,b")

    def test_quote_field(self):
        assert Dialect().quote_field('say "hi"') == '"say ""hi"""'
        assert Dialect().quote_field("plain") == "plain"


class TestTableReader:
    def setup_method(self):
        self.reader = make_reader()

    def test_split_fields(self):
        assert self.reader.split_fields('a,"b,c",d') == ["a", "b,c", "d"]
        assert self.reader.split_fields("") == [""]

    def test_doubled_quotes(self):
        assert self.reader.split_fields('"a ""b"""') == ['a "b"']

    def test_open_quote(self):
        with pytest.raises(TokenError):
            self.reader.split_fields('"never closed')

    def test_read_rows(self):
        rows = list(self.reader.read_rows(["Name,Age\n", "Ada,36\n", "Bob,40\n"]))
        assert rows[1] == {"name": "Bob", "age": "40"}
        assert self.reader.line_number == 2


class TestSemicolons(TestDialect):
    """Runs the inherited tests again and adds none with a name of its own."""

    def test_empty(self):
        pass
