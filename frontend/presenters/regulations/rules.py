"""The rules of a game for pages: its text, card values from the engine, and its options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from engine import VARIANTS, cards
from engine.contracts import STRENGTH, first_mode
from engine.registry import compile_rules
from frontend.card_names import CODES, RANK_NAMES
from frontend.presenters.regulations.options import Option, describe_options
from frontend.rules.game_names import SUMMARIES, game_name

TEXTS: Final = Path(__file__).parents[2] / "rules" / "texts"
LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES if (TEXTS / code).is_dir())
SECTIONS: Final[Mapping[str, str | Promise]] = {
    "aim": _("What it is about"),
    "cards": _("Cards and what they count"),
    "dealing": _("Dealing"),
    "course": _("How a deal goes"),
    "following": _("Which cards may be played"),
    "scoring": _("What counts"),
    "end": _("The end of the game"),
    "variations": _("Variations"),
    "options": _("All options"),
    "source": _("Where these rules come from"),
}
"""Anchor → heading of each section of a rules text. Its template has a block of that name."""
KINDS: Final[Mapping[str, tuple[str, str, str | Promise]]] = {
    "trump": ("hearts", "H", _("Trumps")),
    "plain": ("hearts", "C", _("Beside trumps")),
    "obenabe": ("obenabe", "C", _("Top-down")),
    "undenufe": ("undenufe", "C", _("Bottom-up")),
}
"""Kind of suit → a contract and a suit that show its rank order, and the title of that order."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in the list of rules. `seats`: number of players, like "3 or 4"."""

    key: str
    name: str
    summary: str
    seats: str


@dataclass(frozen=True, slots=True)
class Rank:
    """One card of an `Order`: the name of its rank, and its points."""

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Order:
    """The cards of one suit, strongest first, and a title."""

    title: str
    ranks: tuple[Rank, ...]

    @property
    def total(self) -> int:
        return sum(rank.points for rank in self.ranks)


def list_games() -> list[ListedGame]:
    """Return all games of the registry, in its order."""
    return [find_listed_game(key) for key in VARIANTS]


def find_listed_game(key: str) -> ListedGame:
    """Return the game with this key. Raises KeyError for an unknown key."""
    seats = str(_(" or ")).join(map(str, VARIANTS[key].seats))
    return ListedGame(key, game_name(key), str(SUMMARIES.get(key, "")), seats)


def load_rules_text(key: str) -> str:
    """Return the path of the template with the rules in the request's language. Without one, return the
    English template, and without that a template that has only headings and options.
    """
    for language in ((get_language() or "en")[:2], "en"):
        if language in LANGUAGES and (TEXTS / language / f"{key}.html").is_file():
            return f"texts/{language}/{key}.html"
    return "parts/rules_sections.html"


def rules_context(key: str, deck: str) -> dict[str, Any]:
    """Return the context of `parts/rules_sections.html` for a game. `deck`: key of the deck whose words name
    cards.
    """
    options: list[Option] = describe_options(key, deck)
    return {
        "game": find_listed_game(key),
        "rules_text": load_rules_text(key),
        "options": options,
        "headings": SECTIONS,
    }


def list_card_orders(key: str, kinds: Sequence[str], deck: str) -> list[Order]:
    """Return the rank order and the card values of these kinds of suit (keys of `KINDS`) in a game."""
    return [
        Order(
            str(KINDS[kind][2]),
            tuple(Rank(_rank_name(code, kind, deck), points) for code, points in _order(key, kind)),
        )
        for kind in kinds
    ]


@lru_cache(maxsize=256)
def _order(key: str, kind: str) -> tuple[tuple[str, int], ...]:
    contract, suit, _title = KINDS[kind]
    play = compile_rules(key, VARIANTS[key].seats[0], "dealt", {}).play
    strength = STRENGTH[first_mode(contract)]["DHSC".index(suit)]
    of_suit = [card for card, code in enumerate(CODES) if code[0] == suit]
    strongest_first = sorted(of_suit, key=lambda card: -strength[card])
    return tuple((CODES[card], play.values[contract][card]) for card in strongest_first)


def _rank_name(code: str, kind: str, deck: str) -> str:
    name = str(RANK_NAMES[deck].get(code[1:], code[1:]))
    if kind != "trump" or code[1:] not in ("J", "9"):
        return name
    return f"{'Puur' if code[1:] == 'J' else 'Nell'} ({name})"


def list_playable_cards(
    key: str, contract: str | None, lying: Sequence[str], hand: Sequence[str], options: Mapping[str, Any]
) -> set[str]:
    """Return the cards of `hand` that may be played after the cards `lying` in the trick. `contract`: None
    for top-down; `key`, `options`: a game's. Cards are codes.
    """
    play = compile_rules(key, VARIANTS[key].seats[-1], "dealt", dict(options)).play
    follow = play.following[first_mode(contract or "obenabe")]
    mask = follow(cards.mask(hand), [cards.INDEX[code] for code in lying])
    return {code for code in hand if mask & cards.BIT[code]}
