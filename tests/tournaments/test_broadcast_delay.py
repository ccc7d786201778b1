"""A delayed round: its officials act on the current state, not on the shown one."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import game_state, store
from games.models import Deadline, DealResult, Game
from games.projections import delayed_broadcast
from tests.frontend.evening import opened, person, table
from tests.tournaments.table_play import confirm, enter, game_of
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Round
from tournaments.services import broadcast_delay, cache_versions
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.referee import corrections, disputes
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import desk_results, ranking_basis
from tournaments.services.scores.silent_confirmation import confirm_silent_results

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def late_round(*modes: str, **more: Any) -> Round:
    round_ = opened(*modes, **more)
    return broadcast_delay.set_delay(round_, 15, actor=person("fredi"))


def reopened(round_: Round) -> Round:
    rounds.close_round(round_, actor=person("fredi"), force=True)
    return rounds.reopen_round(round_, actor=person("fredi"), reason="einer fehlt")


def written(round_: Round) -> Round:
    """A deal is on the first sheet, and nobody is shown it."""
    enter(table(round_, 1), 1, 100)
    confirm(table(round_, 1), 1)
    assert not DealResult.objects.exists()
    assert game_of(table(round_, 1)).totals == [0, 0]
    return round_


def test_each_change_is_in_the_stream_of_the_round() -> None:
    round_ = late_round("sheet")
    broadcast_delay.set_delay(round_, 15, actor=person("fredi"))
    broadcast_delay.set_delay(round_, 0, actor=person("fredi"))
    told = [event for event in store.read(round_.stream_id, parts=False) if event.type == "round_delayed"]
    assert [event.body for event in told] == [{"minutes": 15}, {"minutes": 0}]


def test_the_stream_of_a_late_round_is_read_once_for_each_of_its_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = late_round("sheet")
    read = Mock(wraps=store.read)
    monkeypatch.setattr(store, "read", read)

    def asked() -> tuple[str, int]:
        read.reset_mock()
        found = cache_versions.load_cache_version(round_.championship_id, fresh=True)
        assert found is not None
        return found.frame, read.call_count

    first, _ = asked()
    assert asked() == (first, 0)
    disputes.raise_dispute(table(round_, 1), actor=person("gabi"))
    assert asked() == (first, 1), "a call is not told in time"
    broadcast_delay.set_delay(round_, 16, actor=person("fredi"))
    second, count = asked()
    assert (second != first, count) == (True, 1)
    assert asked() == (second, 0)


def test_only_who_directs_says_how_late() -> None:
    round_ = opened("sheet")
    for name in ("gabi", "hanna", "anna"):
        with pytest.raises(NotAllowed):
            broadcast_delay.set_delay(round_, 5, actor=person(name))


def test_a_round_that_is_opened_again_is_shown_in_time_and_its_page_says_so(client: Client) -> None:
    round_ = reopened(late_round("sheet"))
    client.force_login(person("fredi"))
    address = reverse("round", args=[round_.championship.slug, round_.number])
    said = client.get(address, headers={"Accept-Language": "en"}).content.decode()
    assert "This round is shown" not in said
    breaking_off.resume_table(table(round_, 1), actor=person("fredi"), reason="einer fehlt")
    enter(table(round_, 1), 1, 100)
    assert DealResult.objects.exists()


@pytest.mark.parametrize("by", ["director", "regulations"])
def test_a_round_that_is_opened_again_is_late_once_the_director_says_so(by: str) -> None:
    if by == "director":
        round_ = reopened(late_round("sheet"))
    else:
        round_ = reopened(opened("sheet", changes={"rounds": 1, "delay_minutes": 15}))
    broadcast_delay.set_delay(round_, 15, actor=person("fredi"))
    assert {game.delay_minutes for game in Game.objects.all()} == {15}
    assert store.read(round_.stream_id, parts=False)[-1].body == {"minutes": 15}


def test_a_round_that_was_opened_again_and_is_drawn_anew_is_late_as_it_was_planned() -> None:
    round_, fredi = reopened(late_round("sheet")), person("fredi")
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    rounds.open_round(drawing.draw_round(round_, actor=fredi), actor=fredi)
    assert {one.game.delay_minutes for one in round_.tables.select_related("game") if one.game} == {15}


def test_a_result_that_is_not_shown_yet_keeps_a_round_from_being_drawn_again() -> None:
    round_ = written(late_round("sheet"))
    with pytest.raises(TournamentError) as refused:
        draw_undoing.undo_draw(round_, actor=person("fredi"), reason="anew")
    assert refused.value.code == "draw/results_exist"


def test_a_late_round_whose_draw_is_undone_is_drawn_and_closed_without_waiting() -> None:
    round_, fredi = late_round("dealt"), person("fredi")
    undone = list(Game.objects.all())
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    for game in undone:
        game.refresh_from_db()
    assert [(game.status, game.ahead_seq) for game in undone] == [("closed", None)] * 2
    assert not Deadline.objects.filter(kind=delayed_broadcast.SHOW).exists()
    round_.refresh_from_db()
    rounds.open_round(drawing.draw_round(round_, actor=fredi), actor=fredi)
    assert rounds.close_round(round_, actor=fredi, force=True).status == "closed"


def test_the_desk_sees_what_is_written_and_the_ranking_does_not() -> None:
    round_ = written(late_round("sheet"))
    [row, _] = desk_results.desk_rows(round_)
    assert (row.deals, row.scores, row.confirmed) == (1, (100, 57), True)
    assert {line.total for line in ranking_basis.live_ranking(round_.championship)} == {0}


def test_who_closes_sees_which_tables_still_play() -> None:
    round_ = late_round("sheet")
    for deal in range(1, 9):
        enter(table(round_, 1), deal, 100)
        confirm(table(round_, 1), deal)
    assert [one.number for one in rounds.list_unfinished(round_)] == [2]
    assert game_of(table(round_, 1)).status != "ended"


def test_silence_confirms_what_is_not_shown_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {"rounds": 1, "confirmation": "silence", "silence_minutes": 3}
    round_ = late_round("sheet", changes=rules)
    enter(table(round_, 1), 1, 100)
    assert confirm_silent_results() == 0
    later = timezone.now() + timedelta(minutes=4)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert confirm_silent_results() == 1
    assert game_state.load_snapshot(game_of(table(round_, 1)).pk).state.results[0].confirmed


def test_a_correction_is_compared_with_what_is_so() -> None:
    round_ = written(late_round("sheet"))
    fields = {"card_points": [57, 100], "sweep": None, "took_trick": None}
    found = corrections.preview(table(round_, 1), 1, fields)
    assert (found.totals_before, found.totals_after) == ((100, 57), (57, 100))
    totals = {(shift.total, shift.total_after) for shift in found.movement.at_table}
    assert totals == {(100, 57), (57, 100)}
