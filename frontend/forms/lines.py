"""Fields of one line."""

from django import forms


class LineField(forms.CharField):
    """A one-line text field without the browser's autocompletion: at a shared desk it would suggest other
    people's data.
    """

    widget = forms.TextInput(attrs={"autocomplete": "off"})
