"""Sentences with a number of one: no page says "1 games" in any language."""

import re

import pytest
from django.utils import translation
from django.utils.translation import ngettext, npgettext

from tests.frontend.catalogues import Message, in_sources

NOUNS = (
    *("cards", "checkpoints", "days", "deals", "entries", "evenings", "events", "files", "games", "hours"),
    *("lines", "matches", "minutes", "people", "persons", "players", "points", "rounds", "seats", "seconds"),
    *("sessions", "starts", "sweeps", "tables", "teams", "tricks", "weeks", "wins", "years"),
)
COUNTED = re.compile(
    r"(?P<before>\w*) ?(?:%\((?!name|round|players|other)\w+\)[ds]|\{(?!name)\w+\}) (?:(?!in)\w+ )?(?P<noun>"
    + "|".join(NOUNS)
    + r")\b"
)
LIMITS = frozenset({"most", "least", "to", "than", "of", "all", "All", "These", "these"})
"""A word before a number that is a limit or a whole, which is never one where the sentence is shown."""
NEVER_ONE = frozenset(
    {
        "%(n)d minutes per start",
        "%(n)d minutes per round",
        "%(n)d seconds for each card at online tables",
        "%(n)d people fill the tables.",
        "%(n)s people have one of %(limit)s places. Nobody loses a place: the next people who "
        "withdraw are not replaced.",
        "%(n)s points",
        "%(name)s took it: %(points)s points",
        "%(name)s was already warned for the same: %(points)d points off.",
        "%(name)s, or the partner at this table, was already warned for the same: %(points)d points off.",
        "%(rounds)s rounds are many for %(entrants)s: somebody may meet twice.",
        "%(total)s points per round",
        "A person who reaches %(n)s points at one evening is in the final.",
        "A table has %(seats)s seats.",
        "These regulations allow no ranking of %(count)s rounds.",
        "A side has at most {most} points.",
        "Deal {deal}, trick {trick}: {name}, {points} points",
        "Choose the person concerned: a person already warned for the same loses %(points)d points.",
        "{name}: {points} points would be {each} per deal. Press Enter again if this is right.",
        "{points} game points are enough to win.",
        "{streams} streams with {events} events are readable to their end.",
        "Choose {count} cards to exchange, or keep your hand. Chosen: {picked}",
        "Choose {count} cards to discard. Chosen: {picked}",
        "Choose {count} different cards.",
        "Exchange {count} cards",
        "The number of rounds was changed to %(rounds)s.",
        "From table %(table)s on, %(count)s neighbouring tables form one encounter of two teams.",
        "It is too late: the regulations allow %(minutes)s minutes for it.",
        "Discard {count} cards",
        "Round %(round)s of a plan for %(entrants)s people, in which everybody partners everybody once and "
        "meets everybody twice; the lot has given the numbers.",
        "Seal %(number)d, %(events)d events. Anybody who has these words can check the record at home.",
        "Table %(table)s has begun with %(people)s people: wait for the next round.",
        "Tap {count} cards; “Unknown card” for each that nobody saw. Chosen: {picked}",
        "taken by {names}, {points} points",
        "{cards} cards in hand",
        "{cards} cards in hand, {extra} face down beside it",
        "{files} files match the signed list.",
        "{n} checkpoints form a chain; the last is of {time}.",
        "{name} enters the totals of {deals} deals: {scores}.",
        "{name} corrects the totals of {deals} deals: {scores}.",
        "{name} exchanges {count} cards.",
        "{name} gives the deal away: {points} points to the other side.",
        "{name} discards {count} cards.",
        "{name} takes the trick: {points} points.",
        "{points} points in cards",
    }
)
"""Sentences whose number is never one, or hardly: no trick counts one point."""
LANGUAGES = ("de", "fr", "it", "es", "en")


def counts_without_plural(messages: set[Message]) -> list[str]:
    """Return the messages with a number before a noun in the plural that have no form for one."""
    return sorted(
        text
        for _context, text, plural in messages
        if not plural
        and text not in NEVER_ONE
        and any(found["before"] not in LIMITS for found in COUNTED.finditer(text))
    )


@pytest.fixture(scope="module")
def sources() -> set[Message]:
    return in_sources()


def test_each_number_before_a_noun_has_a_form_for_one(sources: set[Message]) -> None:
    assert counts_without_plural(sources) == []
    assert counts_without_plural({("", "%(n)d games", "")}) == ["%(n)d games"]
    assert counts_without_plural({("", "at most %(n)d games", "")}) == []
    assert {text for _context, text, _plural in sources} >= NEVER_ONE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_for_one_is_not_that_for_many(language: str, sources: set[Message]) -> None:
    counted = [message for message in sources if message[2] and COUNTED.search(message[2])]
    assert len(counted) > 50
    with translation.override(language):
        alike = {
            text
            for context, text, many in counted
            if choose_form(context, text, many, 1) == choose_form(context, text, many, 2)
        }
    assert alike == INVARIABLE.get(language, frozenset())


def choose_form(context: str, text: str, many: str, count: int) -> str:
    """Return the translated form for this number, not filled in."""
    return npgettext(context, text, many, count) if context else ngettext(text, many, count)


INVARIABLE = {"it": frozenset({"%(n)s file", "%(n)s sweep"})}
"""Sentences with one form for all numbers: Italian file and match do not change."""
