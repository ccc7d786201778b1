"""Every address of a table for every role: pages and API, admitted or refused, at three kinds of tables."""

import pytest
from django.urls import URLPattern, reverse

from frontend import urls
from frontend.championship_urls import urlpatterns as championship_pages
from games.urls import urlpatterns as for_programs
from tests.frontend.evening import client, opened, table
from tournaments.models import Table

pytestmark = pytest.mark.django_db

ROLES = (None, "eva", "anna", "hanna", "gabi", "fredi")
MODES = ("dealt", "transcribed", "sheet")
LOOKED_AT = {
    "table_live", "replay", "game_print", "game_notation", "api_game", "api_game_events", "api_game_replay",
    "api_game_sheet", "api_game_log", "api_game_offers", "next_seats", "table_clock",
}  # fmt: skip
CLOSE = {"command_id": "close", "command": {"cmd": "close", "reason": "the cloth is wet"}}
"""What only the director may do."""


def expected(name: str, mode: str, role: str | None, inside: bool, public: bool) -> int:
    """The response to a request of a person or a program; `inside`: the person may look."""
    if name in ("open_hands", "call_referee"):
        inside = inside or (name == "open_hands" and role == "hanna")  # the desk is told why not
    if not inside:
        return 404
    on_paper = mode != "dealt"
    match name:
        case "table_preview" | "embedded_table" | "overlay_table" | "overlay_names":
            return 200 if public else 404  # as strangers may see it, whoever asks
        case "api_game_evidence":
            return 400 if on_paper else 200  # nothing is written down yet
        case "what_if":
            return 400  # no line was asked for
        case "deal_worth":
            return 409  # no deal is over
        case "tip":
            return 403  # only at tables that count for nothing
        case "table_play":
            return 200 if role == "anna" and mode == "dealt" else 302
        case "table_sheet":
            return 200 if mode == "sheet" else 302
        case "table_transcribe":
            return 200 if role in ("hanna", "fredi") and mode == "transcribed" else 302
        case "open_hands":
            return 302 if role is None else 200 if role in ("gabi", "fredi") else 403
        case "table_photo":
            return 404  # none was taken
        case "table_photos" | "table_photo_erase":  # who may not erase is told so
            let_in = mode == "sheet" and role in ("anna", "hanna", "gabi", "fredi")
            return (200 if name == "table_photos" else 302) if let_in else 404
        case "call_referee":
            return 302 if role == "anna" or (role in ("hanna", "fredi") and on_paper) else 404
        case "api_game_commands":
            return 201 if role == "fredi" else 403
    assert name in LOOKED_AT, name
    return 200


def looks(mode: str, role: str | None, public: bool) -> bool:
    """Who may look at a table: everybody, or who plays, scores, referees or directs."""
    return public or role in ("anna", "gabi", "fredi") or (role == "hanna" and mode != "dealt")


def names() -> set[str]:
    """Of the addresses of tables."""
    there = [*for_programs, *(p for p in urls.urlpatterns if p not in championship_pages)]
    return {
        p.name for p in there if isinstance(p, URLPattern) and p.name and "game_id" in p.pattern.converters
    }


def asked(name: str, role: str | None, one: Table) -> int:
    more = ["0" * 64] if name in ("table_photo", "table_photo_erase") else []
    browser, address = client(role), reverse(name, args=[one.game_id, *more])
    if name == "api_game_commands":
        return browser.post(address, CLOSE, content_type="application/json").status_code
    posts = name in ("call_referee", "table_photo_erase", "deal_worth")
    return (browser.post if posts else browser.get)(address).status_code


@pytest.mark.long(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("public", [True, False], ids=["public", "private"])
def test_an_address_of_a_table_opens_for_those_it_is_for(mode: str, public: bool) -> None:
    one = table(opened(mode, people=4, public=public), 1)
    last = "api_game_commands"  # where it works it closes the game
    everything = [(name, role) for name in [*sorted(names() - {last}), last] for role in ROLES]
    found = {(name, role): asked(name, role, one) for name, role in everything}

    assert found == {
        (name, role): expected(name, mode, role, looks(mode, role, public), public)
        for name, role in everything
    }
