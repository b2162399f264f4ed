import pytest

from wordtrie import Trie

WORDS = ["tea", "ten", "team", "tea", "to"]


@pytest.fixture
def trie():
    return Trie(WORDS)


def test_insert(trie):
    trie.insert("toe")
    assert trie.complete("to") == ["to", "toe"]


def test_remove(trie):
    trie.remove("to")
    assert trie.count_word("to") == 0
    with pytest.raises(KeyError):
        trie.remove("to")


class TestPrefixes:
    def test_has_prefix(self, trie):
        assert trie.has_prefix("te")
        assert not trie.has_prefix("x")

    def test_complete(self, trie):
        assert trie.complete("tea") == ["tea", "team"]
        assert trie.complete("x") == []

    def test_longest_prefix(self, trie):
        assert trie.longest_prefix("teamwork") == "team"
        assert trie.longest_prefix("bus") == ""

    class TestNodes:
        def test_find_node(self, trie):
            assert trie.find_node("te").count == 0
            assert trie.find_node("zz") is None


def test_count_word(trie):
    assert trie.count_word("tea") == 2
    assert trie.count_word("te") == 0


def test_alphabet_size():
    assert len({letter for word in WORDS for letter in word}) == 6
