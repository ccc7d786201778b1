"""The same cards at all tables, counted against the field: live, published, corrected."""

from fractions import Fraction
from typing import Any

import pytest

from engine.events import HandDealt
from games import game_state
from games.models import User
from tests.tournaments import table_play
from tests.tournaments.field_evenings import found, recount, show_what_is_open
from tournaments import demo_record, regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Official, StandingsSnapshot, Table
from tournaments.presets import PRESETS
from tournaments.services import cache_versions
from tournaments.services.championships import officials
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.referee import corrections
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import exports, published_ranking, ranking_basis
from tournaments.services.scores.live_ranking import LiveRanking

pytestmark = pytest.mark.django_db


def begin(championship: Championship, fredi: User, number: int = 1) -> list[Table]:
    round_ = championship.rounds.get(number=number)
    drawing.draw_round(round_, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    return list(Table.objects.filter(round=round_).select_related("game", "round").order_by("number"))


def on_sheets(fredi: User, people: int = 12, deals: int = 3) -> Championship:
    return found(fredi, people, play={"mode": "sheet"}, rounds=2, deals=deals)


def totals(championship: Championship) -> dict[int, object]:
    """Entry number → total of the live ranking."""
    return {number: row.total for row in ranking_basis.live_ranking(championship) for number in row.numbers}


def test_old_regulations_keep_their_bytes() -> None:
    assert "same_cards" not in regulations.encode(PRESETS["klubabend"])
    assert regulations.encode(PRESETS["against_the_field"])["same_cards"] is True


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"same_cards": False}, "play.credit"),
        ({"hand_in": "totals"}, "hand_in"),
        ({"byes": {"policy": "three"}}, "byes.policy"),
        ({"counting": {"what": "nearest", "least": 1, "most": 9}}, "counting"),
    ],
)
def test_regulations_that_cannot_compare_deals_are_refused(changes: dict[str, Any], field: str) -> None:
    held = regulations.encode(PRESETS["against_the_field"])
    with pytest.raises(TournamentError) as refused:
        regulation_checks.decode({**held, **changes})
    assert refused.value.params["field"] == field


def test_all_tables_of_a_round_are_dealt_the_same_hands(fredi: User) -> None:
    tables = begin(found(fredi, 12, rounds=1), fredi)
    hands = [
        [
            event.cards
            for event in game_state.load_snapshot(str(table.game_id)).events
            if isinstance(event, HandDealt)
        ]
        for table in tables
    ]
    assert hands[0]
    assert hands[0] == hands[1] == hands[2]


def test_a_new_draw_deals_other_hands(fredi: User) -> None:
    championship = found(fredi, 8, rounds=1)
    first = begin(championship, fredi)
    draw_undoing.undo_draw(first[0].round, actor=fredi, reason="one has gone home")
    again = begin(championship, fredi)
    assert {table.game.number for table in again if table.game} == {10_001}


def test_without_the_rule_each_table_has_its_own_hands(fredi: User) -> None:
    championship = found(fredi, 8, rounds=1, same_cards=False, play={"credit": "points"})
    assert [table.game.number for table in begin(championship, fredi) if table.game] == [1, 2]


def test_a_side_gets_its_points_minus_the_mean_of_the_other_tables(fredi: User) -> None:
    championship = on_sheets(fredi)
    tables = begin(championship, fredi)
    for table, points in zip(tables, ([100, 50, 57], [90, 60, 57], [80, 70, 57]), strict=True):
        table_play.write_sheet(table, points)
    rounds.close_round(tables[0].round, actor=fredi)
    rows = published_ranking.decode_rows(StandingsSnapshot.objects.latest("version"))
    told = {number: row.total for row in rows for number in row.numbers}
    assert told == recount(championship)
    first = tables[0].seatings.get(seat=0).entry.number
    assert told[first] == Fraction(15) - 15


def test_a_table_that_is_broken_off_counts_the_mean_of_its_deals(fredi: User) -> None:
    championship = on_sheets(fredi)
    tables = begin(championship, fredi)
    for table, points in zip(tables, ([100, 50, 40], [90, 60, 57], [81]), strict=True):
        table_play.write_sheet(table, points)
    breaking_off.break_off(tables[2], actor=fredi, reason="unwell")
    rounds.close_round(tables[0].round, actor=fredi)
    rows = published_ranking.decode_rows(StandingsSnapshot.objects.latest("version"))
    told = {number: row.total for row in rows for number in row.numbers}
    assert told == recount(championship)
    assert told[tables[2].seatings.get(seat=0).entry.number] == 3 * (81 - 95)


def test_the_kept_ranking_follows_every_deal(fredi: User) -> None:
    championship = on_sheets(fredi)
    kept = LiveRanking()
    tables = begin(championship, fredi)
    for deal in (1, 2, 3):
        for at, table in enumerate(tables):
            table_play.enter(table, deal, 20 * deal + 7 * at)
            table_play.confirm(table, deal)
            show_what_is_open()
            listed = list(championship.rounds.order_by("number"))
            cache_version = cache_versions.load_cache_version(championship.pk, fresh=True)
            assert cache_version is not None
            rows = list(kept.rows(championship, listed, cache_version))
            assert rows == ranking_basis.live_ranking(championship)
        told = {number: row.total for row in rows if row.has_result for number in row.numbers}
        assert told == recount(championship)
        assert len(told) == 12


def test_a_correction_moves_those_who_held_the_same_cards(fredi: User, gabi: User) -> None:
    championship = on_sheets(fredi)
    officials.appoint(championship, gabi, Official.Role.REFEREE, actor=fredi)
    tables = begin(championship, fredi)
    for table, points in zip(tables, ([100, 50, 57], [90, 60, 57], [80, 70, 57]), strict=True):
        table_play.write_sheet(table, points)
    rounds.close_round(tables[0].round, actor=fredi)
    before = totals(championship)
    written = {"card_points": [40, 117]}
    seen = corrections.preview(tables[0], 1, written)
    elsewhere = {number for shift in seen.movement.elsewhere for number in shift.numbers}
    others = {s.entry.number for t in tables[1:] for s in t.seatings.select_related("entry")}
    assert elsewhere == others
    assert totals(championship) == before, "a preview changes nothing"
    foreseen = {
        number: shift.total_after
        for shift in (*seen.movement.at_table, *seen.movement.elsewhere)
        for number in shift.numbers
    }
    corrections.correct_result(tables[0], 1, written, actor=fredi, reason="read wrongly")
    assert totals(championship) == foreseen == recount(championship)


def test_a_bye_gets_the_mean_of_the_field(fredi: User) -> None:
    championship = found(fredi, 10, play={"mode": "sheet", "format": "fixed_pairs"}, rounds=1, deals=2)
    tables = begin(championship, fredi)
    for table, points in zip(tables, ([100, 50], [90, 60]), strict=True):
        table_play.write_sheet(table, points)
    rounds.close_round(tables[0].round, actor=fredi)
    out = Entry.objects.filter(championship=championship, byes__isnull=False).first()
    assert out is not None
    assert out.byes.get().points == 0


def test_exports_have_numbers_for_spreadsheets_and_exact_fractions_for_programs(fredi: User) -> None:
    championship = on_sheets(fredi, people=16, deals=1)
    tables = begin(championship, fredi)
    for table, points in zip(tables, ([100], [90], [80], [71]), strict=True):
        table_play.write_sheet(table, points)
    rounds.close_round(tables[0].round, actor=fredi)
    assert b"59/3" in exports.export(championship, "standings", "json", actor=fredi).data
    assert b"19.6667" in exports.export(championship, "standings", "csv", actor=fredi).data


@pytest.mark.slow
def test_an_evening_of_bots_equals_a_naive_recount(fredi: User) -> None:
    championship = found(fredi, 12, rounds=2, deals=2)
    for number in (1, 2):
        tables = begin(championship, fredi, number)
        for table in tables:
            demo_record.play_out_with_bots(str(table.game_id))
        rounds.close_round(tables[0].round, actor=fredi)
    rows = published_ranking.decode_rows(StandingsSnapshot.objects.latest("version"))
    assert {number: row.total for row in rows for number in row.numbers} == recount(championship)
