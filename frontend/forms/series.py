"""Forms for a series of a club, its rules, its events, and its final."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.championship import When
from frontend.forms.lines import LineField
from frontend.presenters.clubs.series import PRESET_TITLES, STEP_NUMBERS
from frontend.presenters.regulations.regulations import title
from frontend.presenters.words.dates import format_moment
from frontend.presenters.words.vocabulary import word
from tournaments.models import Championship, ClubEvent
from tournaments.presets import PRESETS
from tournaments.series.document import SeriesRules
from tournaments.services.series.editing import MAX_EVENTS, MAX_WEIGHT, OFFERED_PRESETS, number_of_step

MAX_NUMBER: Final = 1_000_000
LIKE: Final = "c"
"""Prefix of a choice that means a championship's regulations; choices without it are presets."""


class SeriesNameForm(forms.Form):
    name = LineField(label=_("Name of the series"), max_length=80)


class PresetForm(forms.Form):
    preset = forms.ChoiceField(
        label=_("What counts"), choices=[(key, PRESET_TITLES[key]) for key in OFFERED_PRESETS]
    )


class NewSeriesForm(PresetForm, SeriesNameForm):
    """The form of a new series: its rules, and the championships that count.

    `championships`: the championships that can be chosen, in order.
    """

    best = forms.IntegerField(
        label=_("Number of evenings that count"), required=False, min_value=1, max_value=MAX_EVENTS
    )
    least = forms.IntegerField(
        label=_("Evenings needed for a place"), required=False, min_value=1, max_value=MAX_EVENTS
    )
    finalists = forms.IntegerField(
        label=_("Number of places that qualify from the table"),
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
    )
    championships = forms.MultipleChoiceField(
        label=_("Evenings"), required=False, widget=forms.CheckboxSelectMultiple
    )
    field_order = ("name", "preset", "best", "least", "finalists", "championships")

    def __init__(self, *args: Any, championships: Sequence[Championship]) -> None:
        super().__init__(*args)
        self._known = {str(one.pk): one for one in championships}
        choices = [(key, _name_with_date(one)) for key, one in self._known.items()]
        self.fields["championships"].choices = choices  # type: ignore[attr-defined]  # of a MultipleChoiceField

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields with numbers. An empty field takes the number of the preset."""
        return [self[name] for name in ("best", "least", "finalists")]

    def clean_championships(self) -> list[Championship]:
        chosen = set(self.cleaned_data["championships"])
        return [one for key, one in self._known.items() if key in chosen]


def _name_with_date(one: Championship) -> str:
    return one.name if one.starts_at is None else f"{one.name}, {format_moment(one.starts_at)}"


class NumbersForm(forms.Form):
    """The numbers in the rules of a series. Field `step2`: number of the second step of the qualification, if
    it needs one.
    """

    best = forms.IntegerField(
        label=_("Number of evenings that count"),
        required=False,
        min_value=1,
        max_value=MAX_EVENTS,
        help_text=_("The best ones of each person; empty: all."),
    )
    least = forms.IntegerField(
        label=_("Evenings needed for a place"), required=False, min_value=1, max_value=MAX_EVENTS
    )

    def __init__(self, rules: SeriesRules, *args: Any) -> None:
        numbers = [number_of_step(step) for step in rules.qualify.steps] if rules.qualify else []
        initial = {f"step{at}": number for at, number in enumerate(numbers, 1)}
        super().__init__(*args)
        self.initial = {"best": rules.best, "least": rules.least, **initial}
        self._steps = len(numbers)
        for at, step in enumerate(rules.qualify.steps if rules.qualify else (), 1):
            if initial[f"step{at}"] is not None:
                most = 100 if step.kind == "share" else MAX_NUMBER
                self.fields[f"step{at}"] = forms.IntegerField(
                    label=word(STEP_NUMBERS, step.kind), min_value=0, max_value=most
                )

    @property
    def steps(self) -> list[int | None]:
        """The number for each step; None for a step that needs no number."""
        return [self.cleaned_data.get(f"step{at}") for at in range(1, self._steps + 1)]


class EventForm(forms.Form):
    """The form of an event of a series. `championships`: the championships that can be chosen."""

    championship = forms.ChoiceField(label=_("Championship"), required=False)
    name = LineField(
        label=_("Name"),
        max_length=80,
        required=False,
        help_text=_("For a planned evening; also place and time."),
    )
    place = forms.CharField(label=_("Place"), max_length=80, required=False)
    starts_at = When(label=_("Start time"), required=False)
    weight = forms.DecimalField(
        label=_("Weight"), min_value=0, max_value=MAX_WEIGHT, decimal_places=2, initial=1
    )

    def __init__(self, *args: Any, championships: Sequence[Championship], **more: Any) -> None:
        super().__init__(*args, **more)
        self._known = {str(one.pk): one for one in championships}
        choices = [("", _("not created yet")), *((key, one.name) for key, one in self._known.items())]
        self.fields["championship"].choices = choices  # type: ignore[attr-defined]  # of a ChoiceField

    def clean_championship(self) -> Championship | None:
        return self._known.get(self.cleaned_data["championship"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("name") and not data.get("championship") and "championship" not in self.errors:
            self.add_error("name", _("A planned evening needs a name."))
        if data.get("championship") and not data.get("name"):
            data["name"] = data["championship"].name
        return data


class EditEventForm(EventForm):
    state = forms.ChoiceField(
        label=_("Status"),
        choices=ClubEvent.State.choices,
        help_text=_("A planned evening counts automatically as soon as its championship is closed."),
    )


class FinalForm(forms.Form):
    """The form of the championship that is created as the final of a series.

    `like`: the championships whose regulations the final can copy. The field *Played as* offers these and the
    presets.
    """

    name = LineField(label=_("Name"), max_length=80)
    place = forms.CharField(label=_("Place"), max_length=80, required=False)
    starts_at = When(label=_("Start time"), required=False)
    like = forms.ChoiceField(label=_("Played as"))

    def __init__(self, *args: Any, like: Sequence[Championship], **more: Any) -> None:
        chosen = more.get("initial", {}).get("like")
        if isinstance(chosen, Championship):
            more["initial"] = {**more["initial"], "like": f"{LIKE}{chosen.pk}"}
        super().__init__(*args, **more)
        self._like = {f"{LIKE}{one.pk}": one for one in like}
        choices = [(key, one.name) for key, one in self._like.items()]
        self.fields["like"].choices = [*choices, *((key, title(key)) for key in PRESETS)]  # type: ignore[attr-defined]  # of a ChoiceField

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        chosen = data.pop("like", "")
        return data | ({"like": self._like[chosen]} if chosen in self._like else {"preset": chosen})
