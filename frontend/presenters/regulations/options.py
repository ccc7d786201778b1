"""The options of a game from the registry, in words, for the page of its rules, the regulations and forms."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

import msgspec
from django.utils.translation import gettext as _
from msgspec import inspect

from engine import get_variant
from engine.contracts import CONTRACTS
from engine.queries.describing import describe
from frontend.card_names import CODES, RANK_NAMES, RANKS, STOECK_CARDS, card_name
from frontend.presenters.regulations.option_words import OPTIONS, VALUES
from frontend.presenters.words.contract_names import contract_name

DEFAULT_DECK: Final = "fr"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game. `default` and `values` are in words; `presets`: name and value in words of each
    preset that changes the option; `type`: its type as the engine declares it.
    """

    name: str
    label: str
    help: str
    default: str
    values: str
    presets: tuple[tuple[str, str], ...]
    type: inspect.Type


def describe_options(key: str, deck: str = DEFAULT_DECK) -> list[Option]:
    """Return all options of a game in the registry's order. Raises IllegalCommand `start/unknown_variant`."""
    game = get_variant(key)
    return [
        Option(
            name=described["name"],
            label=str(words[0]),
            help=str(words[1]).replace("{stoeck}", str(STOECK_CARDS[deck])),
            default=value_words(described["name"], described["default"], deck),
            values=_possible_values(described["name"], types[described["name"]], deck),
            presets=tuple(
                (preset, value_words(described["name"], chosen[described["name"]], deck))
                for preset, chosen in game.presets.items()
                if described["name"] in chosen and chosen[described["name"]] != described["default"]
            ),
            type=types[described["name"]],
        )
        for types in [option_types(key)]
        for described in describe(game)["options"]
        for words in [OPTIONS.get(described["label"], (described["label"], ""))]
    ]


@lru_cache(maxsize=64)
def option_types(key: str) -> dict[str, inspect.Type]:
    """Map the names of a game's options to their types, without titles and descriptions."""
    described = cast(inspect.StructType, inspect.type_info(get_variant(key).options))
    return {field.encode_name: _strip_annotations(field.type) for field in described.fields}


def merge_options(key: str, preset: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return name → value for all options of a game; values not in `options` come from the preset or are
    defaults.
    """
    game = get_variant(key)
    chosen = {**game.presets.get(preset or "", {}), **options}
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.convert(chosen, game.options))
    return plain


def list_differing_options(
    key: str, current_options: Mapping[str, Any], deck: str = DEFAULT_DECK
) -> Iterator[tuple[Option, str]]:
    """Yield each option whose value in `held` is not the game's default, with that value in words. `held`:
    all options.
    """
    defaults = merge_options(key, None, {})
    for option in describe_options(key, deck):
        if current_options[option.name] != defaults[option.name]:
            yield option, value_words(option.name, current_options[option.name], deck)


def value_words(name: str, value: Any, deck: str = DEFAULT_DECK) -> str:
    """Describe a value of an option: "yes", "100", "Spades: 2; Hearts: 1", "the dealer's last card"."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        if len(value) > 1 and len(set(value.values())) == 1:
            return _("%(value)s for each") % {"value": part_words(next(iter(value.values())), deck)}
        pairs = [f"{part_words(k, deck)}: {part_words(v, deck)}" for k, v in value.items()]
        return "; ".join(pairs) or _("none")
    if isinstance(value, list):
        return "; ".join(part_words(one, deck) for one in value)
    if (name, str(value)) in VALUES:
        return str(VALUES[name, str(value)])
    return part_words(value, deck)


def part_words(value: Any, deck: str = DEFAULT_DECK) -> str:
    """Describe a contract, card, rank or number."""
    text = str(value)
    if text in CONTRACTS:
        return contract_name(text, deck)
    if text in CODES:
        return card_name(text, deck)
    if text in RANKS:
        return str(RANK_NAMES[deck].get(text, text))
    return text


def _strip_annotations(type_: inspect.Type) -> inspect.Type:
    return _strip_annotations(type_.type) if isinstance(type_, inspect.Metadata) else type_


def _possible_values(name: str, type_: inspect.Type, deck: str) -> str:
    type_ = _strip_annotations(type_)
    if isinstance(type_, inspect.BoolType):
        return _("yes or no")
    if isinstance(type_, inspect.IntType):
        return _("%(least)s to %(most)s") % {"least": type_.ge, "most": type_.le}
    if isinstance(type_, inspect.LiteralType):
        return "; ".join(value_words(name, value, deck) for value in sort_values(type_.values))
    if isinstance(type_, inspect.UnionType):
        return _(" or ").join(_possible_values(name, one, deck) for one in type_.types)
    if isinstance(type_, inspect.ListType):
        return _("any of: %(values)s") % {"values": _possible_values(name, type_.item_type, deck)}
    if isinstance(type_, inspect.DictType):
        values = _possible_values(name, type_.value_type, deck)
        return _("for each: %(values)s") % {"values": values}
    return _("none")


def sort_values(values: Any) -> list[Any]:
    """Sort contracts in the order of CONTRACTS. Sort other values by text, with numbers by size. Values are
    all contracts or none.
    """
    known = [value for value in CONTRACTS if value in values]
    return known or sorted(values, key=lambda value: re.sub(r"\d+", lambda n: n[0].zfill(4), str(value)))
