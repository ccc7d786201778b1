"""A form for the lots, or the cards cut, of people with the same place."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MAX_LOT = 999
NAMES = {"lot": gettext_lazy("Lot: 1 is first"), "cut": gettext_lazy("Card: the highest is first")}


class LotsForm(forms.Form):
    """A lot or card for each person: field `n5` for entry number 5. Each group of people with the same place
    must be complete or empty.
    """

    def __init__(
        self, groups: Sequence[Sequence[int]], kind: str, known: Mapping[int, int | None], *args: Any
    ) -> None:
        super().__init__(*args)
        self.groups = groups
        for number in (number for group in groups for number in group):
            self.fields[f"n{number}"] = forms.IntegerField(
                label=NAMES[kind],
                required=False,
                min_value=1,
                max_value=MAX_LOT,
                initial=known.get(number),
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for group in self.groups:
            missing = [number for number in group if data.get(f"n{number}") is None]
            if len(missing) < len(group):
                for number in missing:
                    if f"n{number}" not in self.errors:
                        self.add_error(f"n{number}", _("Everybody in this place needs one."))
        return data

    def values(self) -> dict[int, int]:
        """Return entry number → lot or card, if filled in."""
        return {int(name[1:]): value for name, value in self.cleaned_data.items() if value is not None}
