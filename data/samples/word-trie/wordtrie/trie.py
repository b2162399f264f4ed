class Node:
    __slots__ = ("children", "count")

    def __init__(self):
        self.children = {}
        self.count = 0


class Trie:
    """A multiset of words that answers questions about prefixes."""

    def __init__(self, words=()):
        self.root = Node()
        for word in words:
            self.insert(word)

    def insert(self, word):
        node = self.root
        for letter in word:
            node = node.children.setdefault(letter, Node())
        node.count += 1

    def find_node(self, prefix):
        node = self.root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def count_word(self, word):
        node = self.find_node(word)
        return node.count if node else 0

    def has_prefix(self, prefix):
        return self.find_node(prefix) is not None

    def complete(self, prefix):
        """All words under a prefix, in alphabetical order."""
        start = self.find_node(prefix)
        if start is None:
            return []
        found = []

        def walk(node, word):
            if node.count:
                found.append(word)
            for letter in sorted(node.children):
                walk(node.children[letter], word + letter)

        walk(start, prefix)
        return found

    def longest_prefix(self, text):
        """The longest word of the trie that the text begins with."""
        node, best = self.root, ""
        for position, letter in enumerate(text, start=1):
            node = node.children.get(letter)
            if node is None:
                break
            if node.count:
                best = text[:position]
        return best

    def remove(self, word):
        node = self.find_node(word)
        if node is None or node.count == 0:
            raise KeyError(word)
        node.count -= 1
