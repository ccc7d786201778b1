"""Shared fragments: after every event of an evening they equal a fresh rendering, contain nothing of their
first reader, and give 304 for the newest version.
"""

import re
import secrets
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from engine import list_offers
from frontend import fragment_cache
from frontend.presenters.words import elapsed
from frontend.views.championship_context import INSIDE
from games import game_state
from games.models import Game
from games.play.submit import submit
from tests.frontend.evening import (
    championship,
    client,
    first,
    forget_what_is_shared,
    html,
    opened,
    person,
    table,
)
from tests.games.cast import turn_of
from tests.tournaments.table_play import enter, write_sheet
from tournaments.models import Championship, Dispute, Entry, Round
from tournaments.services import cache_versions
from tournaments.services.championships import championships
from tournaments.services.draw import drawing, seat_exchanges
from tournaments.services.entries import entries
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db

PART = {"HX-Request": "true"}
POLLED = ("championship", "tables", "tables_projector", "standings", "projector")
PEOPLE = (None, "anna", "fredi")


def addresses(made: Championship) -> Iterator[tuple[str, dict[str, str]]]:
    for name in POLLED:
        yield reverse(name, args=[made.slug]), PART
        yield reverse(name, args=[made.slug]), {}
    yield f"{reverse('standings', args=[made.slug])}?live=1", PART
    yield reverse("round", args=[made.slug, 1]), {}
    yield reverse("round_wall", args=[made.slug, 1]), {}


def main_of(browser: Client, address: str, headers: dict[str, str]) -> str:
    """Without the tokens, which differ each time a whole page is made."""
    return re.sub(r"\b[A-Za-z0-9]{64}\b", "token", html(browser.get(address, headers=headers)))


def seen(made: Championship, people: dict[str | None, Client]) -> dict[tuple[str | None, str, str], str]:
    return {
        (who, address, str(headers)): main_of(browser, address, headers)
        for who, browser in people.items()
        for address, headers in addresses(made)
    }


def acts(made: Championship) -> Iterator[tuple[str, Callable[[], object]]]:
    """An evening, with everything that changes a page on the way."""
    fredi, gabi = person("fredi"), person("gabi")
    round_ = first(made)

    def someone() -> Entry:
        return made.entries.get(number=2)

    yield "enter", lambda: entries.add_entry(made, name="Zita Zwahlen", actor=fredi)
    yield "withdraw", lambda: entries.withdraw_entry(made.entries.get(name="Zita Zwahlen"), actor=fredi)
    yield "draw", lambda: drawing.draw_round(round_, actor=fredi)
    yield "correct a name", lambda: entries.edit_entry(someone(), name="Beat Bauer", actor=fredi)
    yield (
        "kinds of tables",
        lambda: [
            rounds.set_mode(t, "sheet", actor=fredi)
            for t in round_.tables.select_related("round__championship")
        ],
    )
    yield "change chairs", lambda: seat_exchanges.exchange_seats(round_, 1, 5, actor=fredi)
    yield "open", lambda: rounds.open_round(Round.objects.get(pk=round_.pk), actor=fredi)
    yield "write down a deal", lambda: write_sheet(table(round_, 1), [100])
    yield "call", lambda: disputes.raise_dispute(table(round_, 2), actor=gabi)
    yield "take it back", lambda: disputes.withdraw_dispute(Dispute.objects.get(), actor=gabi)
    yield "a result", lambda: enter(table(round_, 2), 1, 90)
    yield (
        "close",
        lambda: rounds.close_round(Round.objects.get(pk=round_.pk), actor=fredi, force=True, reason="late"),
    )
    yield "rename", lambda: Championship.objects.filter(pk=made.pk).update(name="Sommercup")
    yield "erase a name", lambda: Entry.objects.filter(pk=someone().pk).update(name="")
    yield "finish", lambda: championships.finish(Championship.objects.get(pk=made.pk), actor=fredi)


@pytest.mark.long
def test_after_each_act_of_an_evening_everybody_sees_what_would_be_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(elapsed, "JUST_NOW", timedelta(days=1))  # the test itself takes its time
    made = championship(8)
    people = {who: client(who) for who in PEOPLE}
    before = seen(made, people)
    for name, act in acts(made):
        act()
        now = seen(made, people)
        forget_what_is_shared()
        assert now == seen(made, people), name
        assert now != before, f"{name} changes nothing that is looked at"
        before = now


@pytest.mark.parametrize("name", POLLED)
@pytest.mark.parametrize("who", [None, "anna", "eva"])
def test_whoever_has_the_newest_is_told_so_until_something_happens(name: str, who: str | None) -> None:
    round_ = opened("sheet")
    browser, address = client(who), reverse(name, args=["herbstcup"])
    etag = browser.get(address, headers=PART)["ETag"]

    again = browser.get(address, headers={**PART, "If-None-Match": etag})
    enter(table(round_, 1), 1, 100)
    after = browser.get(address, headers={**PART, "If-None-Match": etag})

    assert (again.status_code, again.content) == (304, b"")
    assert (after.status_code, after["ETag"] != etag) == (200, True)


def test_a_card_does_not_make_the_ranking_anew() -> None:
    """Only what a deal gives does."""
    round_ = opened("dealt")
    address = f"{reverse('standings', args=['herbstcup'])}?live=1"
    etag = client().get(address, headers=PART)["ETag"]

    play_one(round_)

    assert client().get(address, headers={**PART, "If-None-Match": etag}).status_code == 304


def play_one(round_: Round) -> None:
    found = table(round_, 1)
    assert found.game is not None
    seat = found.game.seats.get(number=turn_of(found.game))
    before = found.game.head_seq
    move = list_offers(game_state.load_snapshot(found.game.pk).state)[0]
    submit(found.game.pk, move, actor=seat.player_ref, command_id="one")
    assert Game.objects.get(pk=found.game.pk).head_seq > before


@pytest.mark.long(5)
@pytest.mark.parametrize("name", [*POLLED, "round", "round_wall"])
@pytest.mark.parametrize("headers", [{}, PART], ids=["page", "part"])
def test_nothing_of_who_came_first_is_in_what_the_next_one_sees(name: str, headers: dict[str, str]) -> None:
    made = opened("sheet").championship
    address = reverse(name, args=[made.slug, 1] if name.startswith("round") else [made.slug])
    alone = main_of(client(), address, headers)
    forget_what_is_shared()

    for who in ("fredi", "anna", "gabi"):
        main_of(client(who), address, headers)

    assert main_of(client(), address, headers) == alone


def test_what_is_shared_of_a_private_championship_is_only_for_those_who_take_part() -> None:
    made = opened("sheet", public=False).championship
    address = reverse("tables", args=[made.slug])
    etag = client("fredi").get(address, headers=PART)["ETag"]

    stranger = client().get(address, headers={**PART, "If-None-Match": etag})
    told = client("anna").get(address, headers=PART)

    assert (stranger.status_code, told.status_code) == (404, 200)
    assert b"tile" not in stranger.content
    assert told["ETag"] != etag, "whoever takes part otherwise sees something else"


def test_two_languages_do_not_mix() -> None:
    opened("sheet")
    address = reverse("tables", args=["herbstcup"])

    english = html(client().get(address, headers=PART))
    german = html(Client(headers={"accept-language": "de"}).get(address, headers=PART))

    assert "Table 1" in english
    assert "Tisch 1" in german
    assert html(client().get(address, headers=PART)) == english


def test_several_who_ask_at_once_have_it_made_once() -> None:
    made: list[int] = []
    gate, again = threading.Barrier(6), threading.Event()

    def make() -> str:
        made.append(1)
        if len(made) > 1:
            again.set()
        again.wait(0.2)  # long enough for another one to make it too, if it may
        return "piece"

    def ask() -> None:
        gate.wait()
        assert fragment_cache.get_or_make_fragment("test", (1,), "mark", make, str) == "piece"

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert made == [1]


def test_another_process_takes_it_from_redis() -> None:
    mark = secrets.token_hex(8)
    fragment_cache.get_or_make_fragment("test", (1,), mark, lambda: "made here", str)
    fragment_cache.KEPT.clear()

    assert fragment_cache.get_or_make_fragment("test", (1,), mark, lambda: "made again", str) == "made here"


def test_without_redis_each_process_makes_its_own(settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    assert fragment_cache.get_or_make_fragment("test", (1,), "without", lambda: "made", str) == "made"


@pytest.mark.long(2)
@pytest.mark.parametrize(
    "name", ["championship", "tables", "tables_projector", "standings", "projector", "board"]
)
def test_a_round_that_opens_while_a_page_is_made_is_on_the_next_page(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = opened("sheet", count=2).championship
    marks: list[str] = []
    cache_version_of, rounds_of = (
        cache_versions.load_cache_version,
        Championship.rounds.related_manager_cls.get_queryset,
    )

    def reading(championship: int, **more: bool) -> cache_versions.CacheVersion | None:
        marks.append("cache version")
        return cache_version_of(championship, **more)

    def rounds_read(manager: Any) -> Any:
        marks.append("rounds")
        return rounds_of(manager)

    monkeypatch.setattr(cache_versions, "load_cache_version", reading)
    monkeypatch.setattr(Championship.rounds.related_manager_cls, "get_queryset", rounds_read)
    client("fredi").get(reverse(name, args=[made.slug]), headers=PART)

    assert marks.index("cache version") < marks.index("rounds")


def test_the_only_line_of_a_page_is_mine_to_me_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.views.standings.standings.PAGE", 1)
    round_ = opened("sheet", "sheet")
    enter(table(round_, 1), 1, 100)
    for page in range(1, 9):
        address = f"{reverse('standings', args=['herbstcup'])}?live=1&page={page}"
        html(client("anna").get(address, headers=PART))
        shared_by_all = html(client().get(address, headers=PART))
        forget_what_is_shared()
        assert shared_by_all == html(client().get(address, headers=PART)), page


def test_a_round_that_there_is_not_throws_no_live_lines_out(monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = opened("sheet", "sheet")
    enter(table(round_, 1), 1, 100)
    address = reverse("standings", args=["herbstcup"])
    client().get(f"{address}?live=1", headers=PART)
    kept = set(fragment_cache.KEPT)
    made: list[str] = []

    def from_others(key: str, kind: Any, make: Callable[[], Any]) -> Any:
        made.append(key)
        return make()

    monkeypatch.setattr(fragment_cache, "_load_or_make_shared", from_others)

    client().get(f"{address}?after=999", headers=PART)
    client().get(f"{address}?live=1", headers=PART)

    assert made == []
    assert set(fragment_cache.KEPT) == kept


def test_pages_beyond_the_last_are_kept_once() -> None:
    opened("sheet", "sheet")
    for name in ("tables", "tables_projector", "standings"):
        for page in (3, 4, 5):
            client().get(f"{reverse(name, args=['herbstcup'])}?page={page}", headers=PART)
    counts = [
        sum(of[0] == name for of in fragment_cache.KEPT)
        for name in ("tiles", "projected tables", "standings")
    ]

    assert max(counts) == 1


def test_what_turns_private_while_it_is_read_is_kept_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    opened("sheet")
    cache_version_of = cache_versions.load_cache_version

    def private(championship: int, **more: bool) -> cache_versions.CacheVersion | None:
        found = cache_version_of(championship, **more)
        return found._replace(public=False) if found else None

    monkeypatch.setattr(cache_versions, "load_cache_version", private)
    answer = client().get(reverse("tables", args=["herbstcup"]), headers=PART)

    assert " one " in answer["X-Puur-Shared"]
    kept = [*fragment_cache.KEPT]
    assert not any(fragment_cache.ANYBODY in of for of in kept)
    assert [of for of in kept if INSIDE not in of] == [], "without its audience"
