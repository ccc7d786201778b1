"""What the terminal says before there is Django: German where the environment asks for it, else English.

PUUR_LANGUAGE decides, else LC_ALL, LC_MESSAGES, LANG, as for every other program. The words are those of the
one catalogue of the pages. manage.py reads this file before it knows how old its Python is: no newer
syntax here.
"""

import gettext as catalogues
import os
import sys

WHERE = ("PUUR_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "frontend", "locale")


def language() -> str:
    """`de` or `en`; the first variable that says anything decides."""
    said = next((os.environ[name] for name in WHERE if os.environ.get(name)), "")
    return "de" if said.lower().startswith("de") else "en"


def gettext(message: str) -> str:
    """A marked message in the language of whoever sits at the terminal."""
    spoken = catalogues.translation("django", LOCALE, [language()], fallback=True)
    return spoken.gettext(message)


def never_fail_on_a_letter() -> None:
    """A terminal that cannot write an umlaut shows a question mark, where Python would end the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
