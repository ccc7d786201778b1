"""The available languages, and the translation of terminal messages before Django is loaded. Messages are in
the language of the environment, else in English.

The language is the first value among PUUR_LANGUAGE, LC_ALL, LC_MESSAGES and LANG, as in other programs.
Messages come from the catalogue of the pages. manage.py imports this file before it checks the Python
version, so the file must not use newer syntax.
"""

import gettext as catalogues
import os
import sys

NAMES = (("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano"), ("es", "Español"))
WHERE = ("PUUR_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "frontend", "locale")


def languages() -> "list[tuple[str, str]]":
    """Return code and own name of each language that has a catalogue, and of English, the source language."""
    return [(code, name) for code, name in NAMES if code == "en" or os.path.isdir(os.path.join(LOCALE, code))]


def language() -> str:
    """Return the code of the language of the terminal."""
    language = next((os.environ[name] for name in WHERE if os.environ.get(name)), "")[:2].lower()
    return language if language in dict(languages()) else "en"


def gettext(message: str) -> str:
    """Translate a message into the language of the terminal."""
    spoken = catalogues.translation("django", LOCALE, [language()], fallback=True)
    return spoken.gettext(message)


def replace_unencodable_output() -> None:
    """Write a question mark for each letter that the terminal cannot encode, instead of raising an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
