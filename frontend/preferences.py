"""Theme and deck that a person has chosen, in two cookies that last a year. No account is needed.

Django's `set_language` in `frontend/urls.py` stores the language.
"""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

THEMES = ("auto", "light", "dark")
DECKS = ("ch", "fr")
COOKIES = {"theme": ("puur_theme", THEMES), "deck": ("puur_deck", DECKS)}
# Romandie and Ticino play with French cards; an explicit choice applies in every language.
FRENCH_CARDS = ("fr", "it")
YEAR = 365 * 24 * 3600


def read_preference(request: HttpRequest | None, what: str) -> str:
    """Return the person's choice of `what` (theme or deck), or its default without a valid choice."""
    cookie, allowed = COOKIES[what]
    value = request.COOKIES.get(cookie, "") if request is not None else ""
    if value in allowed:
        return value
    return "fr" if what == "deck" and get_language() in FRENCH_CARDS else allowed[0]


def set_preference(response: HttpResponse, what: str, value: str, *, secure: bool) -> None:
    """Set the cookie of a choice; an unknown value is ignored. The cookie is not http-only, because scripts
    read it.
    """
    cookie, allowed = COOKIES[what]
    if value in allowed:
        response.set_cookie(cookie, value, max_age=YEAR, samesite="Lax", secure=secure)
