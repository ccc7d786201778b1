"""No renaming in the code changes a word that databases, files, addresses or scripts hold."""

from tests.architecture import stored_words


def test_stored_words_are_those_that_are_listed() -> None:
    listed = set(stored_words.LIST.read_text().splitlines())
    found = stored_words.words()
    assert sorted(listed - found) == [], "users hold these words: they have to stay"
    assert sorted(found - listed) == [], "python -m tests.architecture.stored_words --write"
