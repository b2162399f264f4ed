"""Readable parts of web addresses."""

from slug.words import drop_stop_words, split_words
from slug.make import make_slug, shorten_slug, unique_slug

__all__ = ["drop_stop_words", "make_slug", "shorten_slug", "split_words", "unique_slug"]
