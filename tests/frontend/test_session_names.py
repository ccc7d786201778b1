"""In an open heat a round is a session: pages, prints and files call it by that name."""

import re

import pytest
from django.http import HttpResponse
from django.urls import URLPattern, reverse

from frontend import championship_urls
from tests.frontend.evening import client, html, person
from tests.frontend.test_queue_page import come, heat, seat, session
from tournaments.models import Table
from tournaments.services import rounds
from tournaments.services.sessions import starts

pytestmark = pytest.mark.django_db
CALLED = re.compile(r"\b(round|passe)\s+\d|\d\.\s+passe\b", re.IGNORECASE)
TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)


def list_addresses(table: Table) -> list[str]:
    """List the addresses of all pages of the championship with a session, a table or a person."""
    values = {
        "slug": "herbstcup",
        "number": 1,
        "table": 1,
        "round": 1,
        "start": 1,
        "deal": 1,
        "game": table.game_id,
    }
    found = []
    for pattern in championship_urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        names = set(pattern.pattern.converters)
        if names <= values.keys() and pattern.name:
            found.append(reverse(pattern.name, kwargs={name: values[name] for name in names}))
    return found


def test_no_page_of_an_open_heat_calls_a_session_a_round() -> None:
    made = heat()
    opened = session(made)
    people = come(opened, 9)
    seat(opened, 100)
    rounds.close_round(opened, actor=person("fredi"))
    second = session(made, 2)
    for one in people[:5]:
        starts.add_start(second, one, actor=person("fredi"))
    seat(second)
    table = opened.tables.get(number=1)
    loaded, wrong = 0, []
    for language, name in (("de", "fredi"), ("en", None)):
        browser = client(name)
        for address in list_addresses(table):
            answer = browser.get(address, headers={"Accept-Language": language})
            if answer.status_code != 200 or not isinstance(answer, HttpResponse):
                continue
            if "text/html" not in answer.headers["Content-Type"]:
                continue
            loaded += 1
            text = " ".join(TAGS.sub(" ", html(answer)).split())
            wrong += [
                f"{language} {name} {address}: …{text[max(0, at.start() - 30) : at.end() + 20]}…"
                for at in CALLED.finditer(text)
            ]
    assert loaded > 60
    assert not wrong, "\n".join(sorted(set(wrong)))
