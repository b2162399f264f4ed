from samplestats.words import fold_accents, word_lengths


def test_fold_accents():
    assert fold_accents("Café Zürich") == "Cafe Zurich"


def test_word_lengths():
    assert word_lengths("To be, or not") == [2, 2, 2, 3]
