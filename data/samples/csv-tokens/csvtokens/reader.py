"""A reader for tables in text files, one character at a time."""

from dataclasses import dataclass


class TokenError(ValueError):
    """A quote that is never closed."""


@dataclass(frozen=True)
class Dialect:
    delimiter: str = ","
    quote: str = '"'

    def needs_quotes(self, field):
        return any(mark in field for mark in (self.delimiter, self.quote, "\n"))

    def quote_field(self, field):
        if not self.needs_quotes(field):
            return field
        return self.quote + field.replace(self.quote, self.quote * 2) + self.quote


def sniff_delimiter(line, candidates=",;\t|"):
    """Pick the candidate that is most frequent in a line."""
    return max(candidates, key=line.count)


def parse_header(line, dialect=Dialect()):
    names = [name.strip().lower() for name in line.rstrip("\n").split(dialect.delimiter)]
    if len(set(names)) != len(names):
        raise ValueError("a column name occurs twice")
    return names


class TableReader:
    def __init__(self, dialect=None):
        self.dialect = dialect or Dialect()
        self.line_number = 0

    def split_fields(self, line):
        fields, field, quoted = [], [], False
        position = 0
        while position < len(line):
            char = line[position]
            if quoted:
                if char != self.dialect.quote:
                    field.append(char)
                elif line[position + 1 : position + 2] == self.dialect.quote:
                    field.append(char)
                    position += 1
                else:
                    quoted = False
            elif char == self.dialect.quote:
                quoted = True
            elif char == self.dialect.delimiter:
                fields.append("".join(field))
                field = []
            else:
                field.append(char)
            position += 1
        if quoted:
            raise TokenError(f"line {self.line_number}: the quote is not closed")
        fields.append("".join(field))
        return fields

    def read_rows(self, lines):
        lines = iter(lines)
        header = parse_header(next(lines), self.dialect)
        for line in lines:
            self.line_number += 1
            yield dict(zip(header, self.split_fields(line.rstrip("\n"))))
