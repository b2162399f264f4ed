import re
import unicodedata

STOP_WORDS = frozenset({"a", "an", "and", "of", "or", "the", "to"})

_WORD = re.compile(r"[a-z0-9]+")


def fold_accents(text):
    """Replace accented letters by their base letters."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def split_words(text):
    return _WORD.findall(fold_accents(text).lower())


def drop_stop_words(words):
    kept = [word for word in words if word not in STOP_WORDS]
    return kept or list(words)
