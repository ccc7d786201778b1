"""The options of any game as form fields, generated from the types of the options in the engine.

A field has the name of its option. An option that maps keys to values, such as a multiplier for each
contract, has one field for each key, `option.key`. Unchanged values are not stored.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from msgspec import inspect

from engine.contracts import CONTRACTS
from frontend.card_names import RANKS
from frontend.presenters.regulations.options import Option, part_words, sort_values, value_words

UNSET: Final = "-"
"""The choice that sets no value for a key."""


def option_names(option: Option) -> list[str]:
    """Return the names of all fields of an option."""
    if isinstance(option.type, inspect.DictType):
        return [f"{option.name}.{key}" for key in _keys(option.type)]
    return [option.name]


def build_option_fields(option: Option, deck: str) -> Iterator[tuple[str, forms.Field]]:
    """Yield (name, field) for each field of an option, with label and help in the request's language."""
    if not isinstance(option.type, inspect.DictType):
        yield option.name, _field(option, option.type, deck, option.label, option.help)
        return
    for name, key in zip(option_names(option), _keys(option.type), strict=True):
        label = f"{option.label}: {part_words(key, deck)}"
        yield name, _field(option, option.type.value_type, deck, label, "", needed=False)


def option_initial(option: Option, value: Any) -> dict[str, Any]:
    """Return field → initial value of all fields of an option whose present value is `value`."""
    if not isinstance(option.type, inspect.DictType):
        return {option.name: value}
    literal = isinstance(option.type.value_type, inspect.LiteralType)
    return {
        name: value.get(key, UNSET if literal else None)
        for name, key in zip(option_names(option), _keys(option.type), strict=True)
    }


def parse_option(option: Option, cleaned: Mapping[str, Any]) -> Any:
    """Return the value of an option as JSON, from the cleaned values of its fields."""
    if not isinstance(option.type, inspect.DictType):
        return cleaned[option.name]
    found = dict(zip(_keys(option.type), (cleaned[name] for name in option_names(option)), strict=True))
    return {key: value for key, value in found.items() if value is not None and value != UNSET}


def _keys(type_: inspect.DictType) -> list[str]:
    """Return the possible keys of an option that maps keys to values: contracts or ranks."""
    literal = cast(inspect.LiteralType, _strip_annotated(type_.key_type))
    known = CONTRACTS if set(literal.values) & set(CONTRACTS) else RANKS
    return [key for key in known if key in literal.values]


def _field(
    option: Option, type_: inspect.Type, deck: str, label: str, help_text: str, *, needed: bool = True
) -> forms.Field:
    type_ = _strip_annotated(type_)
    more: dict[str, Any] = {"label": label, "help_text": help_text}
    if isinstance(type_, inspect.BoolType):
        return forms.BooleanField(required=False, **more)
    if isinstance(type_, inspect.LiteralType):
        choices = [(value, value_words(option.name, value, deck)) for value in sort_values(type_.values)]
        if not needed:
            choices = [(UNSET, str(_("trumps"))), *choices]
        coerce: Callable[[Any], Any] = int if isinstance(choices[-1][0], int) else str
        return forms.TypedChoiceField(choices=choices, coerce=coerce, **more)
    if isinstance(type_, inspect.ListType):
        values = sort_values(_strip_annotated(type_.item_type).values)  # type: ignore[attr-defined]  # the items of a list option are literals
        return forms.MultipleChoiceField(
            choices=[(value, part_words(value, deck)) for value in values],
            widget=forms.CheckboxSelectMultiple,
            **more,
        )
    if isinstance(type_, inspect.UnionType):
        needed = False
        type_ = next(one for one in map(_strip_annotated, type_.types) if isinstance(one, inspect.IntType))
    bounds = cast(inspect.IntType, type_)
    return forms.IntegerField(min_value=bounds.ge, max_value=bounds.le, required=needed, **more)


def _strip_annotated(type_: inspect.Type) -> inspect.Type:
    return _strip_annotated(type_.type) if isinstance(type_, inspect.Metadata) else type_
