"""Which languages there are, and what the terminal says before there is Django: in the language that the
environment asks for, else in English.

PUUR_LANGUAGE decides, else LC_ALL, LC_MESSAGES, LANG, as for every other program. The words are those of the
one catalogue of the pages. manage.py reads this file before it knows how old its Python is: no newer
syntax here.
"""

import gettext as catalogues
import os
import sys

NAMES = (("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano"), ("es", "Español"))
WHERE = ("PUUR_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "frontend", "locale")


def languages() -> "list[tuple[str, str]]":
    """Code and own name of each language that has a catalogue; English is what messages are written in."""
    return [(code, name) for code, name in NAMES if code == "en" or os.path.isdir(os.path.join(LOCALE, code))]


def language() -> str:
    """The code of one of them; the first variable that says anything decides."""
    said = next((os.environ[name] for name in WHERE if os.environ.get(name)), "")[:2].lower()
    return said if said in dict(languages()) else "en"


def gettext(message: str) -> str:
    """A marked message in the language of whoever sits at the terminal."""
    spoken = catalogues.translation("django", LOCALE, [language()], fallback=True)
    return spoken.gettext(message)


def never_fail_on_a_letter() -> None:
    """A terminal that cannot write an umlaut shows a question mark, where Python would end the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
