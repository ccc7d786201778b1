"""A form for one deal of a score sheet, with the fields that the engine lists for the sheet of the game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.rules.sheet_fields import SheetField
from frontend.presenters.words.contract_names import contract_name
from frontend.presenters.words.figures import format_difference
from frontend.presenters.words.writing_words import SHEET

NOTHING = [("", "–")]
POINTS = ("card_points", "own_points", "scores")
"""Fields for points. The first required one on a sheet is the main result."""

REASONS = (
    _("entered wrongly"),
    _("the sides were mixed up"),
    _("a sweep was forgotten"),
    _("the total was wrong"),
)
"""Common reasons for corrections. The first one is preselected, the others are suggested."""
LATER = _("entered later")


class CorrectionForm(forms.Form):
    """The form of a corrected result. `sheet`: its fields; `names`: of the players by seat; `sides`: names of
    the sides; `deck`: key of the deck that names contracts; `now`: field → current value; `missing`: the deal
    has no result yet, so the form asks for its dealer too.
    """

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"list": "reasons", "autocomplete": "off"}),
    )
    seen = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    token = forms.RegexField(r"^[0-9a-f]{32}$", required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any = None,
        *,
        sheet: Sequence[SheetField],
        names: Sequence[str],
        sides: Sequence[str],
        deck: str,
        now: Mapping[str, Any],
        missing: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        self.sheet = [field for field in sheet if missing or field.name != "dealer"]
        self.names, self.sides, self.deck = names, sides, deck
        for field in self.sheet:
            for name, made in self._build_fields(field):
                self.fields[name] = made
            self._set_initial(field, now.get(field.name))
        first = next(field for field in self.sheet if field.name in POINTS and field.required)
        beside = any(field.worth for field in self.sheet)
        if not beside and len(sides) == 2 and first.sum_most and first.sum_least == first.sum_most:
            for name in self._field_names(first):
                self.fields[name].widget.attrs["data-together"] = first.sum_most
        self.fields[self._field_names(first)[0]].widget.attrs["autofocus"] = True
        self.initial.setdefault("reason", str(LATER if missing else REASONS[0]))

    def _field_names(self, field: SheetField) -> list[str]:
        if field.per == "deal":
            return [field.name]
        people = self.sides if field.per == "side" else self.names
        return [f"{field.name}-{at}" for at in range(len(people))]

    def _build_fields(self, field: SheetField) -> Iterator[tuple[str, forms.Field]]:
        label = SHEET.get(f"sheet.{field.name}", field.label)
        if field.kind != "points":
            yield field.name, self._build_choice_field(field, label)
            return
        for at, name in enumerate(self._field_names(field)):
            whose = "" if field.per == "deal" else (self.sides if field.per == "side" else self.names)[at]
            text = str(label) if not whose else whose if field.name in POINTS else f"{label}: {whose}"
            yield (
                name,
                forms.IntegerField(
                    label=text,
                    required=False,
                    min_value=field.least if field.least is not None else -10_000,
                    max_value=field.most or 10_000,
                    widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 5}),
                ),
            )

    def _build_choice_field(self, field: SheetField, label: Any) -> forms.Field:
        if field.kind == "sides":
            return forms.TypedMultipleChoiceField(
                label=label,
                required=False,
                coerce=int,
                choices=list(enumerate(self.sides)),
                widget=forms.CheckboxSelectMultiple,
            )
        offered: list[tuple[Any, str]] = {
            "seat": list(enumerate(self.names)),
            "side": list(enumerate(self.sides)),
            "signed": [
                (value, format_difference(value)) for value in field.choices if isinstance(value, int)
            ],
        }.get(field.kind) or [(value, contract_name(str(value), self.deck)) for value in field.choices]
        number = field.kind in ("seat", "side", "signed")
        return forms.TypedChoiceField(
            label=label,
            required=False,
            coerce=int if number else str,
            empty_value=None,
            choices=[*NOTHING, *offered],
        )

    def _set_initial(self, field: SheetField, value: Any) -> None:
        if value is None:
            return
        several = field.kind == "points" and field.per != "deal"
        parts = value if several else [value]
        for name, part in zip(self._field_names(field), parts, strict=False):
            self.initial[name] = list(part) if field.kind == "sides" else part

    def given(self) -> dict[str, Any]:
        """Return field → value for the engine, of all fields filled in. In a list, an empty number is 0."""
        found: dict[str, Any] = {}
        for field in self.sheet:
            if field.kind == "points" and field.per != "deal":
                numbers = [self.cleaned_data.get(name) for name in self._field_names(field)]
                value: Any = None if set(numbers) == {None} else [number or 0 for number in numbers]
            else:
                value = self.cleaned_data.get(field.name)
            if value is not None and value != []:
                found[field.name] = value
        return found

    @property
    def reasons(self) -> list[str]:
        return [str(reason) for reason in (*REASONS, LATER)]

    @property
    def fields_shown(self) -> list[Any]:
        return [self[name] for field in self.sheet for name in self._field_names(field)]
