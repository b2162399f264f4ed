from wordtrie.sorted_list import SortedList
from wordtrie.trie import Trie

__all__ = ["SortedList", "Trie"]
