from bisect import bisect_left, insort


class SortedList:
    """The simple competitor of the trie: a list that stays sorted."""

    def __init__(self):
        self.words = []

    def insert(self, word):
        insort(self.words, word)

    def remove(self, word):
        position = bisect_left(self.words, word)
        if position == len(self.words) or self.words[position] != word:
            raise KeyError(word)
        del self.words[position]

    def words_between(self, first, last):
        return self.words[bisect_left(self.words, first) : bisect_left(self.words, last)]
