"""Fields of one line."""

from django import forms


class LineField(forms.CharField):
    """A line that the browser does not complete: what was typed before is somebody else's."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})
