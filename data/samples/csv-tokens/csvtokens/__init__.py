from csvtokens.reader import Dialect, TableReader, parse_header, sniff_delimiter

__all__ = ["Dialect", "TableReader", "parse_header", "sniff_delimiter"]
