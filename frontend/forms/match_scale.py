"""A scale of victory points as text, one step a line: `10: 11–9` (11 to 9 from a difference of 10 on)."""

import re
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.standings.match_points import Scale

MAX_STEPS: Final = 60
_STEP: Final = re.compile(r"(\d{1,5})\D+(\d{1,5})\D+(\d{1,5})")


class ScaleField(forms.CharField):
    """A field whose clean value has rows of (least difference, points of the better side, points of the other
    side).
    """

    widget = forms.Textarea(attrs={"rows": 11, "class": "scale", "inputmode": "text", "spellcheck": "false"})

    def clean(self, value: Any) -> Any:
        """Return the scale's rows. Raises ValidationError for an unreadable line, or over MAX_STEPS lines."""
        lines = [line.strip() for line in super().clean(value).splitlines() if line.strip()]
        match = [_STEP.fullmatch(line) for line in lines]
        if len(lines) > MAX_STEPS or None in match:
            raise ValidationError(
                _("Write three numbers on each line, for example 10: 11–9. At most %(n)d lines.")
                % {"n": MAX_STEPS}
            )
        return tuple(tuple(map(int, step.groups())) for step in match if step is not None)


def write_scale(scale: Scale) -> str:
    """Return a scale as the text that the field reads."""
    return "\n".join(f"{least}: {better}–{other}" for least, better, other in scale)
