import re
import unicodedata

_WORD = re.compile(r"[a-z0-9]+")


def fold_accents(text):
    """Replace accented letters by their base letters."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def word_lengths(text):
    return [len(word) for word in _WORD.findall(fold_accents(text).lower())]
