from slug import make_slug, shorten_slug, unique_slug


def test_make_slug():
    assert make_slug("The Art of the Possible") == "art-possible"
    assert make_slug("One Two", separator="_") == "one_two"


def test_shorten_slug():
    slug = make_slug("many words in one title")
    short = shorten_slug(slug, 12)
    assert short == "many-words"
    assert len(short) <= 12


def test_unique_slug():
    taken = {"news", "news-2"}
    assert unique_slug("sport", taken) == "sport"
    assert unique_slug("news", taken) == "news-3"


def test_one_long_word():
    assert shorten_slug("incomprehensible", 6) == "incomp"
