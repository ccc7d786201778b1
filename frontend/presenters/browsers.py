"""Names of browsers, from what they send about themselves."""

from typing import Final

from django.utils.translation import gettext as _

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("SamsungBrowser", "Samsung Internet"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""The first that is found counts: most call themselves Chrome and Safari too."""
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def name_of_browser(sent: str) -> str:
    """Return for example “Firefox, Windows”; a sentence where nothing is known."""
    found = [next((name for sign, name in signs if sign in sent), "") for signs in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found)) or _("a browser that does not say its name")
