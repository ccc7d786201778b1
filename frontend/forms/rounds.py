"""Forms of a round: reasons, confirmations, times, exchanges of chairs, substitutes, and manual draws."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from frontend.forms.championship import When, refuse_past
from frontend.presenters.rounds.chairs import Seated
from tournaments.names import fold, matches


class CloseForm(forms.Form):
    force = forms.BooleanField(label=_("Finish early the tables that are still playing"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class TimesForm(forms.Form):
    opens_at = When(label=_("Opens automatically"), required=False)
    closes_at = When(label=_("Closes automatically"), required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse times in the past, unless they are unchanged."""
        data = super().clean() or {}
        for name in ("opens_at", "closes_at"):
            refuse_past(self, name, timezone.now())
        return data


class ChairsForm(forms.Form):
    """Two people who exchange chairs. Each is typed as a number or a name, or as suggested ("12 Anna")."""

    one = forms.CharField(label=_("Person, by number or name"), max_length=200)
    other = forms.CharField(label=_("takes the seat of"), max_length=200)
    seen = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=200,
        help_text=_("Needed if a result is entered at one of the tables; then only a referee may do this."),
    )

    def __init__(self, *given: Any, people: Sequence[Seated] = (), **more: Any) -> None:
        super().__init__(*given, **more)
        self.people = people
        for name in ("one", "other"):
            self.fields[name].widget.attrs |= {"list": "seated", "autocomplete": "off"}

    def clean_one(self) -> int:
        """Return the entry number of `one`."""
        return self._number(self.cleaned_data["one"])

    def clean_other(self) -> int:
        """Return the entry number of `other`."""
        return self._number(self.cleaned_data["other"])

    def _number(self, text: str) -> int:
        return parse_player_number(
            text, self.people, _("Nobody called “%(name)s” is seated at such a table.")
        )


def parse_player_number(text: str, people: Sequence[Seated], nobody: str | Promise) -> int:
    """Return the entry number that a text means: the number with which it begins, or the number of the only
    one of these people with this name. Raises ValidationError if nobody (message: `nobody`) or several have
    the name.
    """
    number = re.match(r"\d{1,6}\b", text, re.ASCII)
    if number is not None:
        return int(number[0])
    found = [person.number for person in people if matches(text, fold(person.name))]
    found = [person.number for person in people if fold(text) == fold(person.name)] or found
    if len(found) != 1:
        several = _("Several people are called “%(name)s”: choose one from the list, or type the number.")
        sentence = str(several if found else nobody)
        raise forms.ValidationError(sentence, code="chairs/name", params={"name": text})
    return found[0]


class StandInForm(forms.Form):
    """A substitution. Both people are typed as a number or a name, or as suggested."""

    instead = forms.CharField(label=_("Missing person"), max_length=200)
    player = forms.CharField(label=_("Substitute"), max_length=200)
    new = forms.BooleanField(label=_("is not on the list yet: add this name"), required=False)
    what = forms.ChoiceField(
        label=_("How"),
        widget=forms.RadioSelect,
        choices=(
            ("gone", _("takes the chair for the whole round; the missing person is not here")),
            ("out", _("takes the chair for the whole round; the missing person gets a bye")),
            ("for", _("plays as a substitute: the result stays with the missing person")),
        ),
    )
    deal = forms.IntegerField(
        label=_("from deal"),
        help_text=_("of a substitute; empty: from the first"),
        required=False,
        min_value=1,
        max_value=99,
    )

    def __init__(
        self, *given: Any, seated: Sequence[Seated] = (), free: Sequence[Seated] = (), **more: Any
    ) -> None:
        super().__init__(*given, **more)
        self.seated, self.free = seated, free
        for name, offered in (("instead", "seated"), ("player", "may-come")):
            self.fields[name].widget.attrs |= {"list": offered, "autocomplete": "off"}

    def clean_instead(self) -> int:
        """Return the entry number of `instead`."""
        nobody = _("Nobody called “%(name)s” is seated at such a table.")
        return parse_player_number(self.cleaned_data["instead"], self.seated, nobody)

    def clean(self) -> dict[str, Any]:
        """Replace `player` by the number of the entry; with `new` it stays a name."""
        data = super().clean() or {}
        text = data.get("player")
        if text is None or data.get("new"):
            return data
        nobody = _("Nobody called “%(name)s” is free: tick the box to add the name, or choose from the list.")
        # A returning player is seated, not free.
        data["player"] = parse_player_number(text, [*self.free, *self.seated], nobody)
        return data


class JoinForm(forms.Form):
    """A person who takes the free chair of a table."""

    player = forms.CharField(
        label=_("Person to seat"),
        max_length=200,
        widget=forms.TextInput(attrs={"list": "may-come", "autocomplete": "off"}),
    )
    table = forms.IntegerField(min_value=1, max_value=9_999, widget=forms.HiddenInput)

    def __init__(self, *given: Any, free: Sequence[Seated] = (), **more: Any) -> None:
        super().__init__(*given, **more)
        self.free = free

    def clean_player(self) -> int:
        """Return the entry number of `player`."""
        return parse_player_number(
            self.cleaned_data["player"], self.free, _("Nobody called “%(name)s” is free.")
        )


class ByHandForm(forms.Form):
    """A manual draw, with one table in each line: entry numbers in the order of play."""

    tables = forms.CharField(
        label=_("Seats drawn in the hall"),
        help_text=_("One table a line, the entry numbers in the order of play: 7 12 3 9"),
        widget=forms.Textarea(attrs={"rows": 6, "inputmode": "numeric"}),
        max_length=40_000,
    )
    many_sit_out = forms.BooleanField(label=_("They get a bye anyway"), required=False)
    asks = False
    """Whether the people left without a seat would fill a table, so that the form asks to confirm their
    byes.
    """

    def __init__(
        self, *given: Any, here: Collection[int] = (), sizes: Collection[int] = (), **more: Any
    ) -> None:
        """`here`: numbers of the present people; `sizes`: numbers of people that a table may have."""
        super().__init__(*given, **more)
        self.here, self.sizes = here, sizes

    def clean_tables(self) -> list[list[int]]:
        """Return the entry numbers of each table. All errors are reported together, each with its line."""
        tables: list[list[int]] = []
        wrong: list[str] = []
        line_of: dict[int, int] = {}
        for at, line in enumerate(str(self.cleaned_data["tables"]).splitlines(), 1):
            if not line.strip():
                continue
            if not re.fullmatch(r"[\d\s,;./-]+", line, re.ASCII):
                wrong.append(_("Line %(n)d contains more than numbers.") % {"n": at})
                continue
            table = [int(number) for number in re.findall(r"\d{1,6}", line)]
            wrong += self._describe_wrong_line(at, table, line_of)
            tables.append(table)
        if wrong:
            raise forms.ValidationError([forms.ValidationError(one, code="draw/numbers") for one in wrong])
        return tables

    def _describe_wrong_line(self, at: int, table: list[int], line_of: dict[int, int]) -> Iterator[str]:
        if len(table) not in self.sizes:
            sizes = " / ".join(map(str, self.sizes))
            sentence = _("Line %(n)d has %(count)d numbers; a table has %(sizes)s.")
            yield sentence % {"n": at, "count": len(table), "sizes": sizes}
        for number in table:
            if number not in self.here:
                yield _("Line %(n)d: nobody with the number %(number)d is here.") % {
                    "n": at,
                    "number": number,
                }
            elif number in line_of:
                sentence = _("Line %(n)d: number %(number)d is already in line %(first)d.")
                yield sentence % {"n": at, "number": number, "first": line_of[number]}
            line_of.setdefault(number, at)
