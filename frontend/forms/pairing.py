"""The pairing system and its options as form fields, generated from the types of the options."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import msgspec
from django import forms
from django.utils.translation import gettext_lazy as _
from msgspec import inspect

from frontend.presenters.regulations.pairing_words import CHOICES, OPTIONS, SYSTEMS
from tournaments.pairing.systems import DRAWN, Kind, PairingSystem
from tournaments.pairing.systems import SYSTEMS as KNOWN
from tournaments.regulations import PairingChoice

PREFIX: Final = "pairing."
"""Prefix of the names of fields for options of pairing systems."""
STANDARD: Final = "each_round"
"""The default of the option `when`: each round is drawn after the one before."""
Choice = PairingChoice | msgspec.UnsetType


def system_field(sizes: tuple[int, ...], kinds: frozenset[Kind]) -> forms.ChoiceField:
    """Return the field that chooses among the systems suitable for these sizes of tables and these kinds of
    entrants.
    """
    possible = (s for s in KNOWN.values() if set(s.sizes) & set(sizes) and kinds & set(s.kinds))
    return forms.ChoiceField(
        label=_("How rounds are drawn"),
        choices=[(system.key, SYSTEMS[system.key]) for system in possible],
        help_text=_("Its options are shown after saving."),
    )


def option_fields(key: str) -> Iterator[tuple[str, forms.Field]]:
    """Yield (name, field) for each option of a system for which OPTIONS has a label."""
    for name, type_ in _options(KNOWN[key]):
        label: Any = OPTIONS[name]
        if isinstance(type_, inspect.BoolType):
            yield PREFIX + name, forms.BooleanField(label=label, required=False)
        elif isinstance(type_, inspect.LiteralType):
            choices = [(value, CHOICES[str(value)]) for value in type_.values]
            yield PREFIX + name, forms.ChoiceField(label=label, choices=choices)
        else:
            optional = isinstance(type_, inspect.UnionType) and type_.includes_none
            field = forms.IntegerField(label=label, min_value=0, max_value=100, required=not optional)
            yield PREFIX + name, field


def pairing_option_names(key: str) -> tuple[str, ...]:
    """Return the names of the fields that `option_fields` yields."""
    return tuple(PREFIX + name for name, _type in _options(KNOWN[key]))


def pairing_initial(choice: Choice) -> dict[str, Any]:
    """Return field → initial value of the system and its options."""
    key, options = (DRAWN, {}) if choice is msgspec.UNSET else (choice.system, choice.options)
    standard = msgspec.to_builtins(KNOWN[key].options())
    values = {PREFIX + name: options.get(name, standard[name]) for name, _type in _options(KNOWN[key])}
    return {"system": key, **values}


def parse_pairing_choice(data: Mapping[str, Any], was: Choice) -> Choice:
    """Return the choice of a system in a form's data; unset for the standard draw. A system other than that
    of `was`, the choice before, gets default options.
    """
    key = data["system"]
    if key == DRAWN and data.get(f"{PREFIX}when", STANDARD) == STANDARD:
        return msgspec.UNSET
    current_system = DRAWN if was is msgspec.UNSET else was.system
    if current_system != key:
        return PairingChoice(system=key)
    standard = msgspec.to_builtins(KNOWN[key].options())
    given = {name: data[PREFIX + name] for name, _type in _options(KNOWN[key])}
    return PairingChoice(
        system=key, options={name: value for name, value in given.items() if value != standard[name]}
    )


def _options(system: PairingSystem) -> Iterator[tuple[str, inspect.Type]]:
    """Yield (name, type) of the options of the system that have words."""
    described = cast("inspect.StructType", inspect.type_info(system.options))
    yield from ((one.encode_name, one.type) for one in described.fields if one.encode_name in OPTIONS)
