"""Names of browsers, from the User-Agent header."""

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
"""Part of the header → name. The first match counts, because most browsers also call themselves Chrome and
Safari.
"""
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def describe_browser(sent: str) -> str:
    """Name browser and system in a User-Agent header, as far as known: “Firefox, Windows”."""
    found = [next((name for sign, name in signs if sign in sent), "") for signs in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found)) or _("an unknown browser")
