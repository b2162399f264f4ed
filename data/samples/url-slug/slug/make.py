from slug.words import drop_stop_words, split_words


def make_slug(title, separator="-"):
    """Turn a title into lower-case words joined by a separator."""
    return separator.join(drop_stop_words(split_words(title)))


def shorten_slug(slug, limit, separator="-"):
    """Cut whole words off the end until the slug fits."""
    if len(slug) <= limit:
        return slug
    words = slug.split(separator)
    while len(words) > 1 and len(separator.join(words)) > limit:
        words.pop()
    return separator.join(words)[:limit]


def unique_slug(slug, taken):
    if slug not in taken:
        return slug
    number = 2
    while f"{slug}-{number}" in taken:
        number += 1
    return f"{slug}-{number}"
