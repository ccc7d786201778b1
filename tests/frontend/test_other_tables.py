"""The tables beside a watched one: selection, current trick, next table."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.commands import Play
from frontend import fragment_cache
from frontend.presenters.tables.most_interesting_tables import (
    Standing,
    pick_closest,
    pick_featured,
    sort_by_interest,
)
from games import game_state
from games.models import Game
from games.play.submit import submit
from tests.client_responses import Answer
from tests.frontend.evening import client, forget_what_is_shared, html, opened, person, table
from tests.frontend.test_tables_projector import wall
from tests.games.cast import next_command
from tests.tournaments.table_play import enter, game_of, play_deal, refs
from tournaments.models import Championship, Round, Table
from tournaments.services import cache_versions
from tournaments.services.championships import championships

pytestmark = pytest.mark.django_db


def asked(number: int = 1, query: str = "", known: str = "") -> Answer:
    address = reverse("beside", args=["herbstcup", 1, number])
    headers = {"HX-Request": "true", **({"If-None-Match": known} if known else {})}
    return client().get(address, {"q": query} if query else {}, headers=headers)


def shown(number: int = 1, query: str = "") -> str:
    forget_what_is_shared()
    return html(asked(number, query))


def tables_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="beside-(\d+)"', text)]


def play_a_card(one: Table) -> tuple[int, str | None]:
    """The next one, of the seat whose turn it is, once somebody has named something."""
    game, players = game_of(one), refs(one)
    while True:
        command = next_command(game)
        seq = game_state.load_snapshot(game.pk).head.seq
        submit(game.pk, command, actor=players[command.seat], command_id=f"c{seq}")
        if isinstance(command, Play):
            return command.seat, command.card


def test_the_closest_table_comes_first_and_is_the_one_on_the_wall() -> None:
    round_ = opened("sheet", "dealt", "dealt", "dealt", people=16)
    play_deal(table(round_, 2))
    enter(table(round_, 1), 1, 80)

    text = shown(1)

    assert tables_in(text)[0] == 3
    assert tables_in(text)[-1] == 2, "it is the one with the largest lead"
    in_front = r'other-table closest"[^>]*>\s*<p class="other-table-name"><a id="beside-(\d+)"'
    assert re.findall(in_front, text) == ["3"]
    assert re.findall(r'featured"[^>]*="table-(\d+)"', wall()) == ["3"]
    assert "beside-1" not in text, "that one is watched"


def test_who_shows_no_cards_comes_behind_and_who_is_over_last() -> None:
    on, over = Game.Status.RUNNING, Game.Status.ENDED
    dealt, sheet = Game.Mode.DEALT, Game.Mode.SHEET
    found = [
        Standing(1, dealt, over, (5, 5)),
        Standing(2, sheet, on, (5, 5)),
        Standing(3, dealt, on, (9, 0)),
        Standing(4, dealt, on, (3, 1, 2)),
        Standing(5, dealt, on, (2, None)),
    ]

    assert [one.number for one in sort_by_interest(found)] == [4, 5, 3, 2, 1]
    assert pick_closest(found) == found[3]
    assert pick_closest(found[:2]) is None


def test_a_silent_table_is_not_in_front_however_close_it_is() -> None:
    dealt, on = Game.Mode.DEALT, Game.Status.RUNNING
    silent = Standing(1, dealt, on, (5, 5), still=True)
    moving = Standing(2, dealt, on, (90, 5))

    assert pick_closest([silent, moving]) == moving
    assert pick_featured([silent, moving], chosen=1) == moving
    assert [one.number for one in sort_by_interest([silent, moving], chosen=1)] == [2, 1]
    assert pick_featured([silent], chosen=None) is None


def test_a_card_that_is_played_lies_there_for_everybody() -> None:
    round_ = opened("dealt", people=8)
    assert "data-card" not in shown(1)

    seat, card = play_a_card(table(round_, 2))

    at = ("bottom", "right", "top", "left")[seat]
    assert re.findall(r'data-at="(\w+)" data-card="(\w+)"', shown(1)) == [(at, card)]


def test_names_lead_to_people_and_the_score_stands_beside_them() -> None:
    round_ = opened("sheet", people=8)
    enter(table(round_, 2), 1, 100)

    text = shown(1)

    entry = table(round_, 2).seatings.order_by("seat")[0].entry
    address = reverse("persons_evening", args=["herbstcup", entry.number])
    assert f'<a href="{address}">{entry.name}</a>' in text
    assert "<span data-total>100</span>" in text


def test_the_next_table_is_the_one_with_the_next_number_and_after_the_last_the_first() -> None:
    round_ = opened("sheet", people=12)

    def following(number: int) -> list[str]:
        return re.findall(r'data-next-table href="([^"]+)"', shown(number))

    assert following(1) == [reverse("table_live", args=[table(round_, 2).game_id])]
    assert following(3) == [reverse("table_live", args=[table(round_, 1).game_id])]
    Game.objects.filter(pk=table(round_, 2).game_id).update(status=Game.Status.ENDED, head_seq=99)
    assert following(1) == [reverse("table_live", args=[table(round_, 3).game_id])]


def test_a_table_is_found_by_its_number_or_by_somebodys_name() -> None:
    round_ = opened("sheet", people=40)
    name = table(round_, 9).seatings.select_related("entry").order_by("seat")[0].entry.name

    assert len(tables_in(shown(1))) == 6
    assert tables_in(shown(1, "9")) == [9]
    assert tables_in(shown(1, name)) == [9]
    assert "No table is like that." in shown(1, "Nobody At All")
    guests = tables_in(shown(1, "Gast"))
    assert guests
    assert 1 not in guests


def test_a_table_nobody_may_look_at_is_not_beside_another() -> None:
    round_ = opened("dealt", people=12)
    hidden = table(round_, 2)
    play_a_card(hidden)
    Game.objects.filter(pk=hidden.game_id).update(visibility=Game.Visibility.PRIVATE)

    text = shown(1)

    assert tables_in(text) == [3]
    assert str(hidden.game_id) not in text
    assert str(hidden.game_id) not in shown(1, "2")


def test_a_private_championship_shows_strangers_nothing() -> None:
    championships.edit_championship(opened("sheet").championship, actor=person("fredi"), public=False)

    assert asked().status_code == 404


def test_nothing_new_costs_nothing_and_a_card_is_news() -> None:
    round_ = opened("dealt", people=8)
    forget_what_is_shared()
    first = asked()
    with CaptureQueriesContext(connection) as queries:
        again = asked(known=first.headers["ETag"])

    assert again.status_code == 304
    assert not [query for query in queries if "games_event" in query["sql"]]
    play_a_card(table(round_, 2))
    cache_versions.forget_all()
    assert asked(known=first.headers["ETag"]).status_code == 200


@pytest.mark.slow
def test_a_hall_of_many_tables_costs_no_more_queries_than_three() -> None:
    def queries(round_: Round) -> int:
        fragment_cache.KEPT.clear()
        cache_versions.forget_all()
        with CaptureQueriesContext(connection) as found:
            assert asked().status_code == 200
        play_a_card(table(round_, 2))
        return len(found)

    few = queries(opened("dealt", people=32))
    assert few <= 20
    Championship.objects.update(slug="alt")
    assert queries(opened("dealt", people=120)) <= few


def test_a_live_table_has_the_others_at_its_side_unless_it_is_private() -> None:
    round_ = opened("dealt", people=8)
    address = reverse("table_live", args=[table(round_, 1).game_id])
    part = reverse("beside", args=["herbstcup", 1, 1])

    assert f'hx-get="{part}"' in html(client().get(address))
    Game.objects.update(visibility=Game.Visibility.PRIVATE)
    assert part not in html(client("fredi").get(address))
