"""Available languages, and translation of terminal messages before Django is loaded, in the environment's
language, else in English.

PUUR_LANGUAGE decides, else LC_ALL, LC_MESSAGES, LANG, as in other programs. The catalogue is that of the
pages. manage.py imports this file before it checks the Python version: no newer syntax here.
"""

import gettext as catalogues
import os
import sys

NAMES = (("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano"), ("es", "Español"))
WHERE = ("PUUR_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "frontend", "locale")


def languages() -> "list[tuple[str, str]]":
    """Return code and own name of each language with a catalogue; English is the source language."""
    return [(code, name) for code, name in NAMES if code == "en" or os.path.isdir(os.path.join(LOCALE, code))]


def language() -> str:
    """Return the language code; the first variable with a value decides."""
    said = next((os.environ[name] for name in WHERE if os.environ.get(name)), "")[:2].lower()
    return said if said in dict(languages()) else "en"


def gettext(message: str) -> str:
    """Translate a marked message into the terminal's language."""
    spoken = catalogues.translation("django", LOCALE, [language()], fallback=True)
    return spoken.gettext(message)


def replace_unencodable_output() -> None:
    """Write a question mark for a letter that the terminal cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
