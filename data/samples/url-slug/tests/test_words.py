from slug.words import drop_stop_words, fold_accents, split_words


def test_fold_accents():
    assert fold_accents("Café Zürich") == "Cafe Zurich"


def test_split_words():
    assert split_words("Hello, World: 2nd try") == ["hello", "world", "2nd", "try"]


def test_drop_stop_words():
    assert drop_stop_words(["the", "end"]) == ["end"]


def test_only_stop_words_are_kept():
    assert drop_stop_words(["to", "the"]) == ["to", "the"]
