"""The form that uploads the file of a championship from another installation."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from tournaments.models import ClubEvent


class OutsideFileForm(forms.Form):
    """A file, its origin, and the event of the series to which it belongs. `planned`: events that can be
    chosen.
    """

    file = forms.FileField(
        label=_("File of the championship"),
        help_text=_(
            "The ZIP file from the page “Check it yourself” of that installation, after the "
            "evening is closed."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,application/zip"}),
    )
    source = LineField(
        label=_("Source"),
        max_length=80,
        help_text=_("The name of the installation, shown to everybody."),
    )
    event = forms.ChoiceField(label=_("Evening"), required=False)

    def __init__(self, *args: Any, planned: Sequence[ClubEvent], **more: Any) -> None:
        super().__init__(*args, **{"auto_id": "id_elsewhere_%s"} | more)
        self._known = {str(one.pk): one for one in planned}
        choices = [("", _("another evening")), *((key, one.name) for key, one in self._known.items())]
        self.fields["event"].choices = choices  # type: ignore[attr-defined]  # of a ChoiceField

    def clean_event(self) -> ClubEvent | None:
        return self._known.get(self.cleaned_data["event"])
