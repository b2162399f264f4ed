from wordtrie import SortedList


def test_insert():
    words = SortedList()
    for word in ("b", "a", "c"):
        words.insert(word)
    assert words.words == ["a", "b", "c"]


def test_words_between():
    words = SortedList()
    words.insert("ant")
    words.insert("bee")
    words.insert("cat")
    assert words.words_between("b", "c") == ["bee"]
