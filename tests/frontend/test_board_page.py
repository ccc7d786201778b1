"""The director's board: idle tables, calls, missing results; and breaking off a table."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from frontend.views.tables.board import BOARD_SECONDS
from games.models import Game
from tests.frontend.evening import championship, client, html, opened, person, table
from tests.tournaments.table_play import enter, write_sheet
from tournaments.services.referee import disputes

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def board(name: str = "fredi") -> str:
    return html(client(name).get(reverse("board", args=["herbstcup"]), headers=HTMX))


def test_the_board_lists_each_table_with_its_deal_and_last_event() -> None:
    round_ = opened("sheet")
    enter(table(round_, 1), 1, 100)

    shown = board()

    assert shown.count('id="board-') == 2
    assert "Deal 1 of 8" in shown
    assert "just now" in shown
    assert "to be confirmed: deal 1" in shown


def test_who_calls_for_the_referee_comes_first() -> None:
    round_ = opened("sheet", people=16)
    disputes.raise_dispute(table(round_, 3), actor=person("gabi"), text="Farbe nicht angegeben")

    shown = board()

    assert shown.index('id="board-3"') < shown.index('id="board-1"')
    assert "Farbe nicht angegeben" in shown
    assert "<dt>calls</dt><dd>1</dd>" in shown


def test_a_table_without_a_sign_of_life_is_marked() -> None:
    round_ = opened("dealt", "sheet")
    Game.objects.filter(tournament_table__round=round_).update(
        last_event_at=timezone.now() - timedelta(minutes=3)
    )

    shown = board()

    assert shown.count("Inactive for a while") == 1, "three minutes are long online, not on paper"


def test_a_table_far_behind_the_others_is_marked() -> None:
    round_ = opened("sheet", people=16)
    for number in (1, 2, 3):
        for deal in (1, 2, 3, 4):
            enter(table(round_, number), deal, 100)
    enter(table(round_, 4), 1, 100)

    assert board().count("Behind the other tables") == 1


def test_a_finished_table_counts_as_finished() -> None:
    round_ = opened("sheet")
    write_sheet(table(round_, 1), [100] * 8)

    assert "<dt>finished</dt><dd>1 / 2</dd>" in board()


def test_breaking_off_asks_first_and_leaves_a_trace() -> None:
    round_ = opened("sheet")
    address = reverse("table_close", args=["herbstcup", table(round_, 1).pk])

    assert "Finish table 1 early?" in html(client("fredi").post(address, {"reason": "gone"}))
    assert Game.objects.filter(status="closed").count() == 0

    client("fredi").post(address, {"reason": "gone", "sure": "yes"})

    assert Game.objects.get(status="closed").tournament_table.number == 1


@pytest.mark.parametrize(("preset", "warned"), [("lake_constance", True), ("differenzler", False)])
def test_breaking_off_says_where_a_game_without_a_winner_gives_nobody_anything(
    preset: str, warned: bool
) -> None:
    round_ = opened("sheet", people=4, preset=preset, changes={"rounds": 1})
    shown = html(client("fredi").get(reverse("table_close", args=["herbstcup", table(round_, 1).pk])))
    assert ("nobody gets anything" in shown) == warned


def test_breaking_off_twice_is_refused_with_a_code() -> None:
    round_ = opened("sheet")
    address = reverse("table_close", args=["herbstcup", table(round_, 1).pk])
    client("fredi").post(address, {"sure": "yes"})

    again = html(client("fredi").post(address, {"sure": "yes"}, follow=True))

    assert "close/over" in again


def test_a_table_of_another_championship_is_not_there() -> None:
    championship(4)
    round_ = opened("sheet", slug="anderer", name="Anderer")

    assert (
        client("fredi").get(reverse("table_close", args=["herbstcup", table(round_, 1).pk])).status_code
        == 404
    )


def test_before_the_first_round_the_board_says_what_it_is_for() -> None:
    championship(8)

    shown = html(client("fredi").get(reverse("board", args=["herbstcup"])))

    assert "No round is open" in shown


def test_spectators_see_all_tables_with_a_link_to_each() -> None:
    round_ = opened("sheet", people=16)

    shown = html(client().get(reverse("tables", args=["herbstcup"])))

    assert all(reverse("table_live", args=[table(round_, n).game_id]) in shown for n in (1, 2, 3, 4))


def test_a_board_that_says_nothing_new_is_not_sent_again_though_nobody_may_keep_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = opened("sheet")
    Game.objects.filter(tournament_table__round=round_).update(
        last_event_at=timezone.now() - timedelta(minutes=150)
    )
    address, director = reverse("board", args=["herbstcup"]), client("fredi")
    first = director.get(address, headers=HTMX)
    known = {**HTMX, "If-None-Match": first["ETag"]}

    later = timezone.now() + timedelta(seconds=2 * BOARD_SECONDS)
    with monkeypatch.context() as clock:
        clock.setattr(timezone, "now", lambda: later)
        quiet = director.get(address, headers=known)
    enter(table(round_, 1), 1, 100)
    after = director.get(address, headers=known)

    assert (quiet.status_code, quiet.content, quiet["Cache-Control"]) == (304, b"", "no-store")
    assert (after.status_code, "just now" in html(after)) == (200, True)
