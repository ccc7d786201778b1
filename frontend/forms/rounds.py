"""What the director says with a button: a reason, a force, and a draw made in the hall."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.championship import When
from frontend.presenters.chairs import Seated
from tournaments.names import folded, matches


class CloseForm(forms.Form):
    force = forms.BooleanField(label=_("Break off the tables that still play"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class TimesForm(forms.Form):
    opens_at = When(label=_("Opens by itself"), required=False)
    closes_at = When(label=_("Closes by itself"), required=False)


class ChairsForm(forms.Form):
    """Two people, by number, by name, or as the list of `people` fills them in: 12 Anna."""

    one = forms.CharField(label=_("Person, by number or name"), max_length=200)
    other = forms.CharField(label=_("sits on the chair of"), max_length=200)

    def __init__(self, *given: Any, people: Sequence[Seated] = (), **more: Any) -> None:
        super().__init__(*given, **more)
        self.people = people
        for field in self.fields.values():
            field.widget.attrs |= {"list": "seated", "autocomplete": "off"}

    def clean_one(self) -> int:
        """The entry number."""
        return self._number(self.cleaned_data["one"])

    def clean_other(self) -> int:
        """The entry number."""
        return self._number(self.cleaned_data["other"])

    def _number(self, text: str) -> int:
        number = re.match(r"\d{1,6}\b", text, re.ASCII)
        if number is not None:
            return int(number[0])
        found = [person.number for person in self.people if matches(text, folded(person.name))]
        if len(found) != 1:
            several = _("Several people are called “%(name)s”: choose one from the list, or type the number.")
            nobody = _("Nobody called “%(name)s” sits at such a table.")
            raise forms.ValidationError(
                several if found else nobody, code="chairs/name", params={"name": text}
            )
        return found[0]


class ByHandForm(forms.Form):
    """Lines of entry numbers, one table a line, in the order of play."""

    tables = forms.CharField(
        label=_("Seats drawn in the hall"),
        help_text=_("One table a line, the entry numbers in the order of play: 7 12 3 9"),
        widget=forms.Textarea(attrs={"rows": 6, "inputmode": "numeric"}),
        max_length=40_000,
    )

    def clean_tables(self) -> list[list[int]]:
        """Numbers by table."""
        lines = [line for line in str(self.cleaned_data["tables"]).splitlines() if line.strip()]
        for at, line in enumerate(lines, 1):
            if not re.fullmatch(r"[\d\s,;./-]+", line, re.ASCII):
                raise forms.ValidationError(
                    _("Line %(n)d is more than numbers.") % {"n": at}, code="draw/numbers"
                )
        return [[int(n) for n in re.findall(r"\d{1,6}", line)] for line in lines]
