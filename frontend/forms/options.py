"""The options of any game as form fields, made from the types that the engine has for them.

A field is called after its option; where the option is a map (a multiplier for each contract) there is one
field for each key, called `option.key`. What is left as it was is not stored.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from msgspec import inspect

from engine.contracts import CONTRACTS
from frontend.cards import RANKS
from frontend.presenters.options import Option, in_order, part_words, value_words

UNSET: Final = "-"
"""No entry of a map for this key."""


def option_names(option: Option) -> list[str]:
    """The fields of an option."""
    if isinstance(option.type, inspect.DictType):
        return [f"{option.name}.{key}" for key in _keys(option.type)]
    return [option.name]


def form_fields_of(option: Option, deck: str) -> Iterator[tuple[str, forms.Field]]:
    """(name, field) of an option; labels and help in the language of the request."""
    if not isinstance(option.type, inspect.DictType):
        yield option.name, _field(option, option.type, deck, option.label, option.help)
        return
    for name, key in zip(option_names(option), _keys(option.type), strict=True):
        label = f"{option.label}: {part_words(key, deck)}"
        yield name, _field(option, option.type.value_type, deck, label, "", needed=False)


def initial_of(option: Option, value: Any) -> dict[str, Any]:
    """Field → what it shows for this value of the option."""
    if not isinstance(option.type, inspect.DictType):
        return {option.name: value}
    literal = isinstance(option.type.value_type, inspect.LiteralType)
    return {
        name: value.get(key, UNSET if literal else None)
        for name, key in zip(option_names(option), _keys(option.type), strict=True)
    }


def value_of(option: Option, cleaned: Mapping[str, Any]) -> Any:
    """The option as JSON from the cleaned fields."""
    if not isinstance(option.type, inspect.DictType):
        return cleaned[option.name]
    found = dict(zip(_keys(option.type), (cleaned[name] for name in option_names(option)), strict=True))
    return {key: value for key, value in found.items() if value is not None and value != UNSET}


def _keys(type_: inspect.DictType) -> list[str]:
    """Contracts or ranks: the keys there can be."""
    literal = cast(inspect.LiteralType, _bare(type_.key_type))
    known = CONTRACTS if set(literal.values) & set(CONTRACTS) else RANKS
    return [key for key in known if key in literal.values]


def _field(
    option: Option, type_: inspect.Type, deck: str, label: str, help_text: str, *, needed: bool = True
) -> forms.Field:
    type_ = _bare(type_)
    more: dict[str, Any] = {"label": label, "help_text": help_text}
    if isinstance(type_, inspect.BoolType):
        return forms.BooleanField(required=False, **more)
    if isinstance(type_, inspect.LiteralType):
        choices = [(value, value_words(option.name, value, deck)) for value in in_order(type_.values)]
        if not needed:
            choices = [(UNSET, str(_("trumps"))), *choices]
        coerce: Callable[[Any], Any] = int if isinstance(choices[-1][0], int) else str
        return forms.TypedChoiceField(choices=choices, coerce=coerce, **more)
    if isinstance(type_, inspect.ListType):
        values = in_order(_bare(type_.item_type).values)  # type: ignore[attr-defined] # lists hold literals
        return forms.MultipleChoiceField(
            choices=[(value, part_words(value, deck)) for value in values],
            widget=forms.CheckboxSelectMultiple,
            **more,
        )
    if isinstance(type_, inspect.UnionType):
        needed = False
        type_ = next(one for one in map(_bare, type_.types) if isinstance(one, inspect.IntType))
    bounds = cast(inspect.IntType, type_)
    return forms.IntegerField(min_value=bounds.ge, max_value=bounds.le, required=needed, **more)


def _bare(type_: inspect.Type) -> inspect.Type:
    return _bare(type_.type) if isinstance(type_, inspect.Metadata) else type_
