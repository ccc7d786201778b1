"""Forgeries of results with the platform's own key and seal, each of which the Python program has to name."""

import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.verify.cheats.forging import drop
from tests.verify.evening import NAMES, Evening, export
from tests.verify.paper import EVENINGS
from tests.verify.record import Event, Record
from tests.verify.test_honest_evenings import both, disputed_evening, evening_of
from tournaments.models import Championship, Entry, Official
from tournaments.services import broadcast_delay
from tournaments.services import championship_seals as seals
from tournaments.services.championships import championships, officials
from tournaments.services.draw import drawing, seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.referee import corrections, disputes, rulings
from tournaments.services.rounds import rounds

Bend = Callable[[Record], object]
EARLY = "2026-01-01T00:00:00.000000Z"


def ruled_evening() -> Championship:
    """Two rounds of Schieber: rulings and a correction in the first, sealed sheets in the second."""
    fredi, gabi = (User.objects.get_or_create(username=name)[0] for name in ("fredi", "gabi"))
    made = championships.create(actor=fredi, name="Kreis", slug="kreis", changes={"rounds": 2, "deals": 3})
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:9]]
    entries.add_entries(made, people, actor=fredi)
    first, second = made.rounds.order_by("number")
    seating_by_hand.seat_by_hand(first, [range(1, 5), range(5, 9)], actor=fredi)
    for table in first.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(first, actor=fredi)
    one, other = first.tables.select_related("round__championship", "game").order_by("number")
    for table in (one, other):
        table.refresh_from_db()
    table_play.write_sheet(one, [100, 157, 90], {2: 0})
    table_play.write_sheet(other, [60, 70, 80])
    seals.seal_championship(made)
    loud = disputes.raise_dispute(one, actor=fredi, deal=None, text="hat geredet")
    rulings.rule(loud, actor=gabi, ruling={"kind": "penalty", "against": 1, "points": 1}, answer="geredet")
    rounds.close_round(first, actor=fredi)
    counted = disputes.raise_dispute(other, actor=fredi, deal=1, text="verzählt")
    change = {"kind": "score_change", "deal": 1, "scores": [50, 107]}
    rulings.rule(counted, actor=gabi, ruling=change, answer="nachgezählt")
    corrections.correct_result(other, 2, {"card_points": [71, 86]}, actor=fredi, reason="verlesen")
    drawing.draw_round(second, actor=fredi)
    for table in second.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(second, actor=fredi)
    for table in second.tables.select_related("game").order_by("number"):
        table_play.write_sheet(table, [100, 60, 90])
    seals.seal_championship(made)
    broadcast_delay.set_delay(second, 5, actor=fredi)
    broadcast_delay.set_delay(second, 0, actor=fredi)
    seals.seal_championship(made)
    return made


def last(events: list[Event], *types: str) -> Event:
    return [event for event in events if event.type in types][-1]


def near(events: list[Event], event: Event) -> int:
    return events.index(event)


# --- exchanged and taken chairs


def exchange(record: Record, number: int, tables: tuple[int, int], at: int, **more: Any) -> None:
    events = record.round(number)
    sat = last(events[:at], "seats_drawn").body["tables"]
    a, b = tables
    body = {"tables": [a, b], "seats": [0, 1], "players": [sat[b - 1][1], sat[a - 1][0]], **more}
    record.insert(events, at, "seats_exchanged", body)
    record.sit_as_drawn()


def exchanged_after_dealt_tables_were_over(record: Record) -> None:
    exchange(record, 1, (1, 2), record.place(record.round(1), "seats_exchanged"))


def take_late(record: Record, number: int, dated: str, at: int, table: int = 1) -> None:
    events = record.round(number)
    drawn = last(events[:at], "seats_drawn").body
    free = next(
        e.body["player"]
        for e in record.own
        if e.type == "entry_added"
        and e.body["player"] not in [p for seated in drawn["tables"] for p in seated]
    )
    body = {"table": table, "seat": 0, "player": free, "instead": drawn["tables"][table - 1][0]}
    event = record.insert(events, at, "chair_taken", {**body, "sits_out": True})
    event.envelope["recorded_at"] = dated


def chair_after_the_table_was_won_dated_before(record: Record) -> None:
    take_late(record, 2, EARLY, len(record.round(2)))


def chair_at_a_dealt_table(record: Record) -> None:
    take_late(
        record,
        1,
        last(record.round(1), "round_opened").envelope["recorded_at"],
        record.place(record.round(1), "round_opened") + 1,
    )


# --- rankings


def corrected_after_the_last_ranking(record: Record) -> None:
    """The ranking after the correction was never published."""
    drop_last_ranking(record)


def drop_last_ranking(record: Record) -> None:
    published = last(record.own, "standings_published")
    record.own.remove(published)
    record.tables["standingssnapshot"] = [
        row for row in record.tables["standingssnapshot"] if row["version"] != published.body["version"]
    ]
    for event in record.round(1):
        if event.type == "sitting_out_counted":
            record.round(1).remove(event)


def ruling_after_the_last_ranking(record: Record) -> None:
    game = record.game(1)
    body = last(game, "ruling_made").body
    totals = list(body["totals"])
    record.insert(game, len(game), "ruling_made", {
        **body, "ruling": 2, "points": 50, "totals": [totals[0], totals[1] - 50], "totals_before": totals,
    })  # fmt: skip


def result_dated_before_the_ranking_it_is_missing_in(record: Record) -> None:
    """A correction that a later checkpoint was the first to know, dated as if the ranking had had it."""
    entered = record.game(1)[1].copy()
    assert entered.type == "result_entered"
    entered.envelope.update(type="result_corrected", recorded_at=EARLY)
    entered.body.update(
        card_points=[0, 157],
        scores=[0, 157],
        replaces=1,
        reason="x",
        winners=[1],
        took_trick=[0],
        totals=[
            last(record.game(1), "ruling_made").body["totals"][0] - 100,
            last(record.game(1), "ruling_made").body["totals"][1] + 100,
        ],
    )
    record.game(1).append(entered)


# --- winners


def winners_turned(record: Record) -> None:
    ended = record.first(record.game(1), "game_ended").body
    ended["winners"] = [side for side in range(len(ended["totals"])) if side not in ended["winners"]]


def both_have_won(record: Record) -> None:
    ended = record.first(record.game(1), "game_ended").body
    ended["winners"] = list(range(len(ended["totals"])))


def nobody_has_won(record: Record) -> None:
    record.first(record.game(1), "game_ended").body["winners"] = []


def never_ended(record: Record) -> None:
    drop(record.game(1), "game_ended")


def ended_a_deal_early(record: Record) -> None:
    game = record.game(1)
    ended = record.first(game, "game_ended")
    scored = [at for at, event in enumerate(game) if event.type == "deal_scored"]
    body = {**ended.body, "totals": game[scored[-2]].body["totals"]}
    del game[scored[-2] + 1 :]
    record.insert(game, len(game), "game_ended", body)


def corrected_winners(record: Record) -> None:
    last(record.game(2), "result_corrected").body["winners"] = [0]


def ruled_winners(record: Record) -> None:
    made = [e for e in record.game(2) if e.type == "ruling_made"][-1].body
    made["winners"] = [1 - side for side in made.get("winners") or [1]]


def paid_otherwise(record: Record) -> None:
    record.first(record.game(1), "game_ended").body["payments"] = [100, -100, 0, 0]


# --- what deals count


def moved_totals(record: Record) -> None:
    """From one side to the other, with card points and bonuses as they were."""
    for event in record.game(2):
        if event.type in ("result_entered", "result_corrected", "game_ended"):
            for name in ("scores", "totals"):
                if name in event.body:
                    event.body[name] = [event.body[name][0] + 40, event.body[name][1] - 40]


def sweep_of_the_other_side(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["sweeps"] = [0, 1]


def stoeck_moved(record: Record) -> None:
    record.first(record.game(2), "result_entered").body["stoecks"] = [0, 1]


def written_score_without_its_cards(record: Record) -> None:
    entered = record.first(record.game(1), "result_entered").body
    entered["scores"] = [entered["scores"][1], entered["scores"][0]]


def by_hand(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["by_hand"] = True


def sweep_without_points(record: Record) -> None:
    record.first(record.game(1), "result_entered").body.update(sweep=0)


def card_points_of_nobody(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["card_points"] = [100, 100]


def melds_in_a_game_without(record: Record) -> None:
    record.first(record.game(1), "result_entered").body["melds"] = [50, 0]


def dealt_scores_turned(record: Record) -> None:
    for event in record.game(1):
        if event.type in ("deal_scored", "game_ended"):
            for name in ("card_points", "scores", "totals"):
                if name in event.body:
                    event.body[name] = event.body[name][::-1]


def dealt_points_added(record: Record) -> None:
    for event in record.game(1):
        if event.type in ("deal_scored", "game_ended"):
            for name in ("scores", "totals"):
                if name in event.body:
                    event.body[name][0] += 20


def stoeck_made_up(record: Record) -> None:
    """Said twice, so that it counts forty."""
    game = record.game(1)
    at = record.place(game, "deal_scored")
    for _ in range(2):
        record.insert(game, at, "stoeck_declared", {"seat": 0, "points": 20})


def deal_scored_twice(record: Record) -> None:
    game = record.game(1)
    at = record.place(game, "deal_scored")
    again = game[at].copy()
    again.body["totals"] = [2 * points for points in again.body["totals"]]
    game.insert(at + 1, again)


# --- rulings


def penalty_of_one_that_gives_600(record: Record) -> None:
    made = record.first(record.game(1), "ruling_made").body
    made["totals"] = [made["totals"][0] + 600, made["totals"][1]]


def penalty_for_the_other_side(record: Record) -> None:
    made = record.first(record.game(1), "ruling_made").body
    before = made["totals_before"]
    made["totals"] = [before[0] - 1, before[1]]


def penalty_below_nothing(record: Record) -> None:
    made = record.first(record.game(1), "ruling_made").body
    before = made["totals_before"]
    made.update(points=-600, totals=[before[0], before[1] + 600])


def warning_with_points(record: Record) -> None:
    made = record.first(record.game(1), "ruling_made").body
    made.update(kind="warning", totals=[made["totals_before"][0] + 90, made["totals_before"][1]])


def correction_with_totals_of_its_own(record: Record) -> None:
    body = last(record.game(2), "result_corrected").body
    body["totals"] = [body["totals"][0] + 200, body["totals"][1]]


def correction_of_a_ruled_deal(record: Record) -> None:
    """What a ruling has fixed does not change with the sheet."""
    body = last(record.game(2), "result_corrected").body
    entered = record.game(2)[1].body
    game = record.game(2)
    record.insert(game, len(game), "result_corrected", {
        **entered, "card_points": [150, 7], "scores": [150, 7], "reason": "x", "replaces": 1,
        "winners": [0], "totals": [body["totals"][0] + 100, body["totals"][1] - 100],
    })  # fmt: skip


def score_of_a_ruling_turned(record: Record) -> None:
    body = record.first(record.game(2), "ruling_made").body
    body["scores"] = body["scores"][::-1]


def ruling_from_another_score(record: Record) -> None:
    record.first(record.game(2), "ruling_made").body["scores_before"] = [0, 157]


def ruling_of_nothing_and_a_sweep(record: Record) -> None:
    """A ruling that changes nothing does not make sweeps free."""
    row = next(row for row in record.tables["standingssnapshot"][-1]["rows"] if not row["sweeps"])
    row["sweeps"] = row["rounds"][0]["sweeps"] = 2
    record.publish()


def annulled_deal_that_counts(record: Record) -> None:
    body = record.first(record.game(2), "ruling_made").body
    body["kind"] = "annul_deal"


def annulled_without_a_ruling(record: Record) -> None:
    record.insert(record.game(1), len(record.game(1)), "deal_annulled", {"deal": 1})


def ruling_replaced_that_was_none(record: Record) -> None:
    record.first(record.game(2), "ruling_made").body["replaces"] = 7


def corrects_what_was_not_there(record: Record) -> None:
    last(record.game(2), "result_corrected").body["replaces"] = 1


FORGERIES: list[tuple[str, Bend, str]] = [
    # the eight of the attack
    ("evening", exchanged_after_dealt_tables_were_over, "where cards are dealt"),
    ("ruled", chair_after_the_table_was_won_dated_before, "a chair was taken that was not free"),
    ("ruled", corrected_after_the_last_ranking, "results changed after the last ranking"),
    ("bieter", winners_turned, "have won by the totals instead of"),
    ("pairs", moved_totals, "its card points with its own bonuses"),
    ("ruled", penalty_of_one_that_gives_600, "the totals are"),
    ("ruled", correction_with_totals_of_its_own, "the totals are"),
    ("ruled", ruling_of_nothing_and_a_sweep, "sweeps in round 1 instead of"),
    # of the same kinds
    ("evening", chair_at_a_dealt_table, "a chair was taken that was not free"),
    ("ruled", ruling_after_the_last_ranking, "results changed after the last ranking"),
    ("ruled", result_dated_before_the_ranking_it_is_missing_in, "results changed after the last ranking"),
    ("bieter", both_have_won, "have won by the totals instead of"),
    ("la_pomme", winners_turned, "have won by the totals instead of"),
    ("lake_constance", winners_turned, "have won by the totals instead of"),
    ("plus_minus", winners_turned, "have won by the totals instead of"),
    ("differenzler", winners_turned, "have won by the totals instead of"),
    ("coiffeur", nobody_has_won, "have won by the totals instead of"),
    ("bieter", never_ended, "was neither finished nor broken off"),
    ("differenzler", ended_a_deal_early, "it ended although no rule ends it there"),
    ("differenzler", paid_otherwise, "the payments do not follow from the totals"),
    ("ruled", corrected_winners, "have won by these totals instead of"),
    ("ruled", ruled_winners, "have won by these totals instead of"),
    ("pairs", sweep_of_the_other_side, "its card points with its own bonuses"),
    ("pairs", stoeck_moved, "do not add up with their sweeps and Stöck"),
    ("ruled", written_score_without_its_cards, "its card points with its own bonuses"),
    ("ruled", by_hand, "its card points with its own bonuses"),
    ("ruled", sweep_without_points, "a sweep without all card points"),
    ("ruled", card_points_of_nobody, "the card points of deal 1 are 200 together"),
    ("ruled", melds_in_a_game_without, "melds do not count in this game"),
    ("evening", dealt_scores_turned, "card points instead of"),
    ("evening", dealt_points_added, "deal 1 counts"),
    ("evening", stoeck_made_up, "a Stöck of 20 points"),
    ("evening", deal_scored_twice, "was scored without being played"),
    ("ruled", penalty_for_the_other_side, "the totals are"),
    ("ruled", penalty_below_nothing, "takes off a positive number of points"),
    ("ruled", warning_with_points, "the totals are"),
    ("ruled", correction_of_a_ruled_deal, "the totals are"),
    ("ruled", score_of_a_ruling_turned, "the totals are"),
    ("ruled", ruling_from_another_score, "a ruling starts from another score than deal 1 had"),
    ("ruled", annulled_deal_that_counts, "counts [0, 0] by this ruling"),
    ("ruled", annulled_without_a_ruling, "was annulled without a ruling"),
    ("ruled", ruling_replaced_that_was_none, "it replaces a ruling that was not in force"),
    ("ruled", corrects_what_was_not_there, "it replaces what was not written"),
]


@pytest.fixture(scope="session")
def kept_evenings() -> dict[str, Evening]:
    return {}


def made_evening(kept: dict[str, Evening], name: str) -> Evening:
    """An evening of that name, made once and taken back from the database."""
    from django.db import transaction

    from tests.verify.conftest import BackOut

    if name not in kept:
        try:
            with transaction.atomic():
                of_name = {"ruled": ruled_evening, "disputed": disputed_evening, **EVENINGS}
                built = of_name[name]() if name in of_name else evening_of(name)
                kept[name] = export(built)
                raise BackOut
        except BackOut:
            pass
    return kept[name]


@pytest.mark.parametrize(
    ("name", "bend", "told"), FORGERIES, ids=[f"{n}-{b.__name__}" for n, b, _ in FORGERIES]
)
def test_a_forgery_sealed_with_the_platforms_key_is_named(
    puur_verify: ModuleType,
    evening: Evening,
    kept_evenings: dict[str, Evening],
    key_file: Path,
    name: str,
    bend: Bend,
    told: str,
) -> None:
    made = evening if name == "evening" else made_evening(kept_evenings, name)
    record = Record(made.public)
    bend(record)
    found = puur_verify.verify(io.BytesIO(record.sealed(sealing.load_key(key_file)))).differences
    assert any(told in line for line in found), found


def test_the_ruled_evening_has_no_difference_and_its_notes_tell_what_officials_did(
    puur_verify: ModuleType, kept_evenings: dict[str, Evening], db: None, tmp_path: Path
) -> None:
    made = made_evening(kept_evenings, "ruled")
    assert both(puur_verify, made, tmp_path) == []
    report = puur_verify.verify(io.BytesIO(made.public))
    for told in (
        "round 1, table 1: ruling 1 (penalty), totals",
        "round 1, table 2: ruling 1 (score_change) on deal 1",
        "nachgezählt",
        "round 1, table 2: deal 2 was corrected by an official, 71 : 86: verlesen",
        "published rankings follow from results of which officials changed some: round 1",
    ):
        assert any(told in line for line in report.notes), (told, report.notes)
    assert not any("published rankings are those" in line for line in report.checked)
