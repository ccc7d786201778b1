"""The form of a qualification: one row for each step, and two empty rows."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from frontend.presenters.clubs.series import LEVELS, STEP_TITLES
from tournaments.series.document import STEP_FIELDS, QualifyRules, QualifyStep
from tournaments.series.qualification import LAPSING

EMPTY_STEPS: Final = 2
MOST_STEPS: Final = 20
_NUMBERED: Final = {"table", "first", "share", "threshold", "best_rest"}


class StepForm(forms.Form):
    """The form of one step of a qualification. `number`: of places, percent or points, depending on the kind.
    A row without a kind is ignored.
    """

    kind = forms.ChoiceField(
        label=_("Who qualifies"), required=False, choices=[("", _("nobody else")), *STEP_TITLES.items()]
    )
    number = forms.IntegerField(
        label=_("How many, per cent, or points"), required=False, min_value=0, max_value=1_000_000
    )
    of = forms.ChoiceField(
        label=_("Of"),
        choices=[
            ("each", _("each evening")),
            ("all", _("all evenings: each person's best single total decides")),
        ],
        required=False,
    )
    round = forms.ChoiceField(
        label=_("A share is rounded"), choices=[("up", _("up")), ("down", _("down"))], required=False
    )
    category = LineField(label=_("Category"), max_length=20, required=False)
    lapse = forms.BooleanField(label=_("A place that somebody does not need lapses"), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        kind = data.get("kind")
        if kind in _NUMBERED and data.get("number") is None and "number" not in self.errors:
            self.add_error("number", _("This step needs a number."))
        if kind == "share" and (data.get("number") or 0) > 100:
            self.add_error("number", _("A share is at most 100 per cent."))
        if kind == "category" and not data.get("category"):
            self.add_error("category", _("Which category?"))
        return data

    @property
    def step(self) -> QualifyStep | None:
        """The step as a rule of the series; None for an empty row."""
        data = self.cleaned_data
        kind = data["kind"]
        if not kind:
            return None
        fields: dict[str, Any] = {}
        number = STEP_FIELDS[kind] if kind != "category" else "count"
        if number is not None:
            fields[number] = 1 if data["number"] is None else data["number"]
        if kind == "category":
            fields["category"] = data["category"]
        if kind == "first":
            fields["of"] = data["of"] or "each"
        if kind == "share":
            fields["round"] = data["round"] or "up"
        if kind in LAPSING:
            fields["lapse"] = data["lapse"]
        return QualifyStep(kind=kind, **fields)


class LevelForm(forms.Form):
    level = forms.ChoiceField(label=_("People level at the last place"), choices=list(LEVELS.items()))


class QualificationForm:
    """The steps of a qualification in order, and the rule for people who share the last place of a step."""

    def __init__(self, rules: QualifyRules | None, data: Any = None) -> None:
        steps = () if rules is None else rules.steps
        count = min(len(steps) + EMPTY_STEPS, MOST_STEPS)
        if data is not None:
            count = max((at for at in range(1, MOST_STEPS + 1) if f"step{at}-kind" in data), default=0)
        self.level = LevelForm(
            data, initial={"level": "all" if rules is None else rules.level}, auto_id="id_steps_%s"
        )
        self.steps = [
            StepForm(
                data,
                prefix=f"step{at}",
                initial=_write_step(steps[at - 1]) if at <= len(steps) else {},
                auto_id="id_%s",
            )
            for at in range(1, count + 1)
        ]
        self.fields: dict[str, Any] = {}

    def is_valid(self) -> bool:
        return all([self.level.is_valid(), *(step.is_valid() for step in self.steps)])

    @property
    def cleaned_data(self) -> dict[str, Any]:
        """The keyword arguments for `editing.set_qualification`."""
        steps = [step.step for step in self.steps]
        return {
            "steps": [step for step in steps if step is not None],
            "level": self.level.cleaned_data["level"],
        }

    def add_error(self, field: str | None, error: ValidationError) -> None:
        self.level.add_error(field, error)

    def non_field_errors(self) -> Any:
        return self.level.non_field_errors()


def _write_step(step: QualifyStep) -> dict[str, Any]:
    field = "count" if step.kind == "category" else STEP_FIELDS[step.kind]
    return {
        "kind": step.kind,
        "number": None if field is None else getattr(step, field),
        "of": step.of,
        "round": step.round,
        "category": step.category or "",
        "lapse": step.lapse,
    }
