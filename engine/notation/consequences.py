"""Consequences of a decision, as a comment. Facts that the decision states are omitted."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from engine.commands import Command, Deal, Exchange
from engine.events import Event, ExtraDealt, HandDealt, TableDealt
from engine.notation.kinds import format_cards, format_lists, format_options, format_side_points, format_word
from engine.phases.dealing import pad_unknown

_PHRASES: Final[dict[str, str]] = {
    "game_started": "rules version {rules_version}, {sides} sides",
    "deal_started": "deal {deal}, dealer {dealer}",
    "hand_dealt": "hand of {seat} {cards}",
    "hand_taken_up": "{seat} takes up {cards}",
    "talon_dealt": "talon {open} | {closed}",
    "trump_turned": "turned {card}",
    "pushed": "{seat} pushes",
    "contract_set": "contract {contract}",
    "bid_made": "{seat} bids {points}",
    "bid_deferred": "{seat} defers",
    "bid_passed": "{seat} passes",
    "auction_won": "{seat} wins the auction with {points}",
    "auction_failed": "nobody bids",
    "talon_taken": "{seat} takes the talon {cards}",
    "cards_discarded": "{seat} discards {cards}",
    "deal_accepted": "{seat} plays the deal",
    "deal_conceded": "{points} to the other side",
    "discards_counted": "discards of {seat} count {points}",
    "prediction_made": "{seat} predicts {points}",
    "predictions_revealed": "predictions {points}",
    "extra_exchanged": "{seat} takes {taken}",
    "extra_kept": "{seat} keeps the hand",
    "turned_taken": "{seat} takes {card} for {six}",
    "melds_declared": "{seat} declares {declared}",
    "melds_shown": "{seat} shows {melds}",
    "stoeck_declared": "Stoeck of {seat} {points}",
    "melds_scored": "melds of side {side} {points}: {shown}",
    "trick_taken": "{seat} takes {points}",
    "table_card_turned": "{seat} turns {card}",
    "infraction_found": "{code} of {seat} in trick {trick} (seq {at_seq})",
    "deal_scored": "deal {deal}: cards {card_points}, scores {scores}, totals {totals}",
    "game_ended": "game ended, won by {winners}, totals {totals}",
    "ruling_made": "ruling {ruling}: scores {scores}, totals {totals}",
    "deal_stopped": "{seat} stops the deal",
    "taken_back": "what was written from seq {to} on is taken back",
    "deal_annulled": "deal {deal} annulled",
    "suit_barred": "{seat} may not lead {suit}",
    "result_entered": "of side {side}: scores {scores}, totals {totals}",
    "result_corrected": "of side {side}: scores {scores}, totals {totals}",
    "result_confirmed": "by side {side}",
}
_FACE_DOWN: Final = "hand of {seat} face down"
_DEALING_EVENTS: Final = (HandDealt, ExtraDealt, TableDealt)
_SEAT_FIELDS: Final = frozenset({"seat", "dealer", "against"})
_OMITTED_FIELDS: Final = frozenset({"seq", "size"})


def format_consequences(command: Command, events: Sequence[Event], *, hands_written: bool) -> str:
    """Return the consequences of a command as one line; empty if the command states all. `hands_written`: its
    line has all hands. A deal without a deck has none to write.
    """
    said = msgspec.structs.asdict(command)
    if isinstance(command, Exchange):
        said["given"] = command.cards
    dealt = isinstance(command, Deal) and (hands_written or command.deck is None)
    return "; ".join(
        text
        for event in events
        if not (dealt and isinstance(event, _DEALING_EVENTS) and not getattr(event, "face_down", False))
        if (text := _describe(event, said))
    )


def describe_event(event: Event, names: Sequence[str] = ()) -> str:
    """Describe an event in words. `names`: of the seats, for numbers."""
    return _describe(event, {}, names)


def _describe(event: Event, said: dict[str, object], names: Sequence[str] = ()) -> str:
    """Describe an event. `said`: fields that the command states and that are left out."""
    fields = msgspec.structs.asdict(event)
    tag = str(event.__struct_config__.tag)
    phrase = _PHRASES.get(tag, tag.replace("_", " "))
    named = set(re.findall(r"\{(\w+)\}", phrase))
    defaults = {field.name: field.default for field in msgspec.structs.fields(event)}
    more = {
        name: value
        for name, value in fields.items()
        if name not in _OMITTED_FIELDS and not _is_stated(said, name, value) and value != defaults[name]
    }
    if isinstance(event, HandDealt) and event.face_down:
        phrase, named, more = _FACE_DOWN, {"seat"}, {"face_down": True}
    if not more:
        return ""
    size = fields.get("size")

    def value_of(name: str) -> str:
        value = fields[name]
        if name in _SEAT_FIELDS and value is not None and value < len(names):
            return str(names[value])
        if size is not None and isinstance(value, list):  # cards, since the size is their number
            return format_cards(value if name == "open" else pad_unknown(value, size))
        return _format_value(value, None if name == "points" else size)

    text = phrase.format(**{name: value_of(name) for name in named})
    beside = [f"{name} {value_of(name)}" for name in more if name not in named and name != "face_down"]
    return ", ".join([text, *beside])


def _is_stated(said: dict[str, object], name: str, value: object) -> bool:
    if name not in said:
        return False
    told = said[name]
    if value is None and isinstance(told, list):
        return all(part in (None, [None]) for part in told)
    return bool(told == value and type(told) is type(value))


def _format_value(value: object, size: int | None = None) -> str:
    if value is None:
        return format_cards([None] * size) if size else "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return format_word(value)
    if isinstance(value, dict):
        return format_options(value)
    if isinstance(value, list):
        return _format_list(value)
    if isinstance(value, msgspec.Struct):
        return " ".join(_format_value(part) for part in msgspec.structs.astuple(value))
    return str(value)


def _format_list(values: Sequence[object]) -> str:
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return format_cards(texts)
    numbers = [value for value in values if value is None or isinstance(value, int)]
    if len(numbers) == len(values):
        return format_side_points(numbers).removesuffix(":")
    return format_lists(values, _format_value)
