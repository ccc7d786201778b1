"""Theme and deck of one person: two cookies, remembered for a year, readable without an account."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

THEMES = ("auto", "light", "dark")
DECKS = ("ch", "fr")
COOKIES = {"theme": ("puur_theme", THEMES), "deck": ("puur_deck", DECKS)}
# Romandie and Ticino play with French cards; who has chosen a deck keeps it in every language.
FRENCH_CARDS = ("fr", "it")
YEAR = 365 * 24 * 3600


def chosen(request: HttpRequest | None, what: str) -> str:
    """The person's choice of `what` (theme or deck); anything unknown is the default."""
    cookie, allowed = COOKIES[what]
    value = request.COOKIES.get(cookie, "") if request is not None else ""
    if value in allowed:
        return value
    return "fr" if what == "deck" and get_language() in FRENCH_CARDS else allowed[0]


def remember(response: HttpResponse, what: str, value: str, *, secure: bool) -> None:
    """Set the cookie; a value that is not on the list is ignored. Scripts read it, so it is not http-only."""
    cookie, allowed = COOKIES[what]
    if value in allowed:
        response.set_cookie(cookie, value, max_age=YEAR, samesite="Lax", secure=secure)
