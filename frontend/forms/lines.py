"""Fields for one line of text."""

from django import forms


class LineField(forms.CharField):
    """A field for one line of text, without the browser's autocompletion, which at a shared desk would
    suggest data of other people.
    """

    widget = forms.TextInput(attrs={"autocomplete": "off"})
