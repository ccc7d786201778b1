"""Tags for the texts of rules: `{% load rules %}`. Points come from the engine, and names from the deck."""

from dataclasses import dataclass
from typing import Any

from django import template

from engine.card_points import LAST_TRICK
from frontend.card_names import RANK_NAMES, SUIT_NAMES, card_name
from frontend.preferences import read_preference
from frontend.presenters.regulations import rules
from frontend.presenters.regulations.options import Option
from frontend.presenters.words.contract_names import contract_name

register = template.Library()
Context = dict[str, Any]


def _deck(context: Context) -> str:
    return read_preference(context.get("request"), "deck")


@register.simple_tag(takes_context=True)
def suit(context: Context, code: str) -> str:
    """Render `{% suit "S" %}`: "Spades", or "Shields" with the Swiss deck."""
    return str(SUIT_NAMES[_deck(context)][code])


@register.simple_tag(takes_context=True)
def rank(context: Context, code: str) -> str:
    """Render `{% rank "Q" %}`: "Queen", or "Ober" with the Swiss deck."""
    return str(RANK_NAMES[_deck(context)].get(code, code))


@register.simple_tag(takes_context=True)
def option(context: Context, name: str) -> str:
    """Render `{% option "target" %}`: the default value of an option of the game."""
    options: list[Option] = context["options"]
    return next(option.default for option in options if option.name == name)


@register.inclusion_tag("components/card_orders.html", takes_context=True)
def card_orders(context: Context, kinds: str) -> Context:
    """Render `{% card_orders "trump plain" %}`: the ranks of suits of these kinds, strongest first, with
    their points in the game. Kinds are keys of `presenters.regulations.rules.KINDS`.
    """
    orders = rules.list_card_orders(context["game"].key, kinds.split(), _deck(context))
    rows = zip(*(order.ranks for order in orders), strict=True)
    return {"orders": orders, "rows": list(rows), "last_trick": LAST_TRICK}


@dataclass(frozen=True, slots=True)
class ExampleCard:
    """A card in the hand of an example."""

    code: str
    playable: bool


@register.inclusion_tag("components/may_play.html", takes_context=True)
def may_play(context: Context, contract: str, lying: str, hand: str, **options: Any) -> Context:
    """Render `{% may_play "hearts" "C10 H8" "C7 HA D6" undertrump="void" %}`: an example with contract, cards
    in the trick, and a hand whose legal cards are marked, under these options of the game. An empty
    `contract`: trumps are not set yet.
    """
    before, hand_codes = lying.split(), hand.split()
    playable = rules.list_playable_cards(context["game"].key, contract or None, before, hand_codes, options)
    deck = _deck(context)
    names = [card_name(code, deck) for code in hand_codes if code in playable]
    return {
        "request": context.get("request"),
        "trumps": contract_name(contract, deck) if contract else "",
        "lying": before,
        "hand": [ExampleCard(code, code in playable) for code in hand_codes],
        "playable": ", ".join(names),
        "all": len(playable) == len(hand_codes),
    }
