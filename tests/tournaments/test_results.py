"""Results of tables, and the resulting ranking."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from engine import IllegalCommand
from games import store
from games.models import DealResult, Game, User
from games.play.submit import submit
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.models import Championship, Entry, Round, StandingsSnapshot
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.referee import disputes, rulings
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis, results

pytestmark = pytest.mark.both

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


def test_both_partners_are_credited_their_sides_points(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    round_ = open_round("sheet", "sheet")
    one, other = round_.tables.order_by("number")
    table_play.write_sheet(one, [157, 100, 100, 100, 100, 100, 100, 100], sweeps={1: 0})
    table_play.write_sheet(other, [80] * 8)
    rounds.close_round(round_, actor=fredi)
    rows = {row.key: row for row in published_ranking.decode_rows(StandingsSnapshot.objects.get())}
    seats = list(one.seatings.values_list("entry__number", flat=True))
    assert [rows[number].total for number in seats] == [957, 399, 957, 399]
    assert [rows[number].sweeps for number in seats] == [1, 0, 1, 0]
    seats = list(other.seatings.values_list("entry__number", flat=True))
    assert [rows[number].total for number in seats] == [640, 616, 640, 616]


def test_a_sweep_that_a_ruling_took_the_points_of_counts_no_more(
    championship: Championship, gabi: User, open_round: Opened
) -> None:
    table = open_round("sheet", people=4).tables.get()
    table_play.write_sheet(table, [157, 157], sweeps={1: 0, 2: 0})
    [one] = results.load_results([table.round])
    assert one.sweeps == (2, 0)

    dispute = disputes.raise_dispute(table, actor=gabi, deal=2)
    ruling = {"kind": "score_change", "deal": 2, "scores": [157, 0]}
    rulings.rule(dispute, actor=gabi, ruling=ruling, answer="Das war kein Match.")

    [one] = results.load_results([table.round])
    assert one.sweeps == (1, 0)
    assert one.totals == (257 + 157, 0)


@pytest.mark.parametrize(
    ("scores", "sweeps"),
    [([257, 0], (1, 0)), ([0, 257], (0, 1)), ([257, 20], (0, 0)), ([157, 0], (0, 0)), ([256, 1], (0, 0))],
)
def test_a_sweep_that_a_ruling_has_made_counts(
    scores: list[int], sweeps: tuple[int, int], championship: Championship, gabi: User, open_round: Opened
) -> None:
    """157 to nothing is what everything on one side counts; a sweep is told by the bonus it has."""
    table = open_round("sheet", people=4).tables.get()
    table_play.write_sheet(table, [100, 100])
    dispute = disputes.raise_dispute(table, actor=gabi, deal=2)
    ruling = {"kind": "score_change", "deal": 2, "scores": scores}
    rulings.rule(dispute, actor=gabi, ruling=ruling, answer="Alle Stiche waren ihre.")
    [one] = results.load_results([table.round])
    assert one.sweeps == sweeps
    assert one.totals == (100 + scores[0], 57 + scores[1])


def test_stoeck_stands_beside_a_ruled_sweep(gabi: User, open_round: Opened) -> None:
    table = open_round("sheet", people=4).tables.get()
    line = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [100, 57], "stoeck": 1}
    submit(str(table.game_id), line, actor=table_play.refs(table)[0], command_id="stoeck")
    dispute = disputes.raise_dispute(table, actor=gabi, deal=1)
    ruling = {"kind": "score_change", "deal": 1, "scores": [257, 20]}
    rulings.rule(dispute, actor=gabi, ruling=ruling, answer="Alle Stiche waren ihre.")
    [one] = results.load_results([table.round])
    assert one.sweeps == (1, 0)


def test_dealt_tables_count_what_the_log_of_their_game_says(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    """The ranking is recomputed from the events alone."""
    round_ = open_round("dealt", "dealt")
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    points: dict[str, int] = {}
    for table in round_.tables.all():
        totals = [0, 0]
        for event in store.read(str(table.game_id)):
            if event.type == "deal_scored":
                totals = [a + b for a, b in zip(totals, event.body["scores"], strict=True)]
        assert sum(totals) >= 8 * 157
        for seat, ref in enumerate(table_play.refs(table)):
            points[ref] = totals[seat % 2]
    entries_by_number = {entry.number: entry for entry in championship.entries.all()}
    rows = published_ranking.decode_rows(StandingsSnapshot.objects.get())
    assert {entries_by_number[row.key].player_ref: row.total for row in rows} == points
    assert [row.total for row in rows] == sorted(points.values(), reverse=True)


def test_a_transcribed_table_counts_what_is_known(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    round_ = open_round("transcribed", "sheet")
    table = round_.tables.get(number=1)
    table_play.write_revoke(table)
    game = Game.objects.get(pk=table.game_id)
    [result] = [r for r in results.load_results([round_]) if r.table == 1]
    assert result.totals == tuple(game.totals)
    assert sum(result.totals) >= 2 * 157


def test_a_sheet_of_158_points_is_refused_and_names_the_deal(open_round: Opened) -> None:
    table = open_round("sheet").tables.get(number=1)
    table_play.enter(table, 1, 100)
    before = store.read_head(str(table.game_id))
    with pytest.raises(IllegalCommand) as refused:
        table_play.enter(table, 2, 100, other=58)
    assert refused.value.code == "sheet/wrong_sum"
    assert (refused.value.params["deal"], refused.value.params["sum"]) == (2, 158)
    assert store.read_head(str(table.game_id)) == before
    assert DealResult.objects.filter(game=table.game_id).count() == 1


def test_the_side_that_wrote_does_not_confirm(open_round: Opened) -> None:
    table = open_round("sheet").tables.get(number=1)
    table_play.enter(table, 1, 100)
    for seat in (0, 2):
        with pytest.raises(IllegalCommand) as refused:
            table_play.confirm(table, 1, seat=seat)
        assert refused.value.code == "sheet/own_side"
    assert not DealResult.objects.get(game=table.game_id).confirmed


def test_the_live_ranking_counts_the_open_round(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    table = open_round("sheet", "sheet").tables.get(number=1)
    table_play.enter(table, 1, 100)
    assert [row.total for row in ranking_basis.live_ranking(championship)] == [
        100,
        100,
        57,
        57,
        0,
        0,
        0,
        0,
    ]
    assert published_ranking.load_latest_snapshot(championship) is None


def test_sitting_out_is_worth_the_average(
    championship: Championship, fredi: User, arrived: People, open_round: Opened
) -> None:
    arrived(9)
    round_ = open_round("sheet", "sheet")
    one, other = round_.tables.order_by("number")
    table_play.write_sheet(one, [100] * 8)
    table_play.write_sheet(other, [157] * 8, sweeps=dict.fromkeys(range(1, 9), 0))
    rounds.close_round(round_, actor=fredi)
    out = round_.byes.get()
    assert out.points == round((800 + 456 + 8 * 257 + 0) / 4)
    [row] = [
        r for r in published_ranking.decode_rows(StandingsSnapshot.objects.get()) if r.key == out.entry.number
    ]
    assert (row.total, row.rounds[0].played) == (out.points, False)


def test_sitting_out_is_worth_an_exact_fraction(
    championship: Championship, fredi: User, arrived: People, open_round: Opened
) -> None:
    data = regulations.encode(load_regulations(championship))
    byes = {"policy": "sit_out", "points": "win"}
    regulations_change.change_regulations(championship, {**data, "byes": byes}, actor=fredi)
    arrived(9)
    round_ = open_round("sheet", "sheet")
    one, other = round_.tables.order_by("number")
    table_play.write_sheet(one, [100] * 8)
    table_play.write_sheet(other, [100] * 7 + [101])
    rounds.close_round(round_, actor=fredi)
    out = round_.byes.get()
    assert out.points == "1601/2"
    snapshot = StandingsSnapshot.objects.get()
    assert {row["key"]: row["total"] for row in snapshot.rows}[out.entry.number] == "1601/2"
    assert [row.place for row in published_ranking.decode_rows(snapshot) if row.key == out.entry.number] == [
        3
    ]
    out.points = "1602/2"
    with pytest.raises(ValidationError):
        out.clean_fields()


def test_regulations_announced_earlier_keep_whole_points_until_they_change(
    fredi: User, former_regulations: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = championships.create(actor=fredi, name="Früher", preset="santiago")
    assert load_regulations(made).kind_of_averages == "whole"
    monkeypatch.undo()
    regulations_change.change_regulations(made, load_regulations(made), actor=fredi)
    assert load_regulations(made).kind_of_averages == "exact"


def test_sitting_out_can_be_worth_a_fixed_figure(
    championship: Championship, fredi: User, arrived: People, open_round: Opened
) -> None:
    data = regulations.encode(load_regulations(championship))
    byes = {"policy": "sit_out", "points": "fixed", "fixed": 600}
    regulations_change.change_regulations(championship, {**data, "byes": byes}, actor=fredi)
    arrived(5)
    round_ = rounds.close_round(open_round("sheet"), actor=fredi, force=True)
    assert round_.byes.get().points == 600


def test_a_round_nobody_finished_gives_nothing_for_sitting_out(
    championship: Championship, fredi: User, arrived: People, open_round: Opened
) -> None:
    arrived(5)
    round_ = rounds.close_round(open_round("sheet"), actor=fredi, force=True)
    assert round_.byes.get().points is None


def test_whoever_has_withdrawn_keeps_his_line(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    rounds.close_round(open_round("sheet", "sheet"), actor=fredi, force=True)
    entries.withdraw_entry(championship.entries.get(number=1), actor=fredi)
    assert 1 in {row.key for row in ranking_basis.live_ranking(championship)}


def test_people_of_the_house_are_not_ranked(
    championship: Championship, fredi: User, arrived: People, open_round: Opened
) -> None:
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(championship, {**data, "byes": {"policy": "house"}}, actor=fredi)
    arrived(3)
    entries.add_entry(championship, actor=fredi, name="Wirt", house=True, status="arrived")
    open_round("sheet")
    assert [row.key for row in ranking_basis.live_ranking(championship)] == [1, 2, 3]


def test_publishing_twice_makes_one_ranking(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    rounds.close_round(open_round("sheet", "sheet"), actor=fredi, force=True)
    first = published_ranking.load_latest_snapshot(championship)
    assert published_ranking.publish(championship, reason="asked_for") == first
    assert StandingsSnapshot.objects.count() == 1


def test_an_older_ranking_stays_as_it_was(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    for _ in range(2):
        round_ = open_round("sheet", "sheet")
        table_play.play_to_the_end(round_)
        rounds.close_round(round_, actor=fredi)
    first, second = StandingsSnapshot.objects.order_by("version")
    assert (first.after_round, second.after_round) == (1, 2)
    assert {len(row.rounds) for row in published_ranking.decode_rows(first)} == {1}
    assert {len(row.rounds) for row in published_ranking.decode_rows(second)} == {2}
    told = [e for e in store.read(championship.stream_id) if e.type == "standings_published"]
    assert [e.body["version"] for e in told] == [1, 2]


@pytest.mark.parametrize("people", [8, 20])
def test_the_ranking_asks_the_database_the_same_for_any_number(
    championship: Championship,
    fredi: User,
    arrived: People,
    people: int,
    django_assert_num_queries: Any,
) -> None:
    arrived(people)
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    with django_assert_num_queries(6):
        ranking_basis.live_ranking(championship)
