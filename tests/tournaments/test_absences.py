"""What a missed round is worth: evenings by lot equal a naive recount, live, published, and as a process
keeps the ranking.
"""

import random
from math import floor
from typing import Any

import pytest

from games.models import User
from tests.tournaments import playing
from tests.tournaments.conftest import NAMES
from tests.tournaments.test_evenings_recounted import recount
from tests.tournaments.test_live_ranking import asked
from tests.tournaments.test_presets import write_out
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.presets import PRESETS
from tournaments.services import championships, rounds
from tournaments.services.current_regulations import regulations_of
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.scores import ranking
from tournaments.services.scores.live_ranking import LiveRanking
from tournaments.standings import AbsenceCredits, RankingRow, ScoredRound

pytestmark = pytest.mark.django_db
Cells = dict[int, dict[int, tuple[Any, bool]]]
"""Number → round → points, and whether the round was missed."""


def hold(preset: str, absences: dict[str, Any], fredi: User, **changes: Any) -> Championship:
    """Create an evening of four rounds at tables with sheets."""
    play = {**regulations.encode(PRESETS[preset])["play"], "mode": "sheet"}
    made = championships.create(
        actor=fredi,
        name=preset,
        preset=preset,
        changes={"play": play, "rounds": 4, "absences": absences, **changes},
    )
    people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:14]]
    there = entries.add_entries(made, people, actor=fredi)
    if play["format"] == "fixed_pairs":
        pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    return made


def play_round(made: Championship, number: int, fredi: User) -> None:
    round_ = made.rounds.get(number=number)
    drawing.draw_round(round_, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        write_out(table)


def recount_absences(made: Championship) -> Cells:
    """Read every line of the tables again, and add what the rules give, round by round."""
    held = regulations_of(made)
    rules = held.absences
    assert isinstance(rules, regulations.Absences)
    lines = recount(made)
    closed = sorted(made.rounds.filter(status="closed").values_list("number", flat=True))
    lowest = held.directions().total < 0
    found: Cells = {}
    for number, of_rounds in lines.items():
        cells: dict[int, tuple[Any, bool]] = {at: (line.points, False) for at, line in of_rounds.items()}
        own: list[Any] = [line.points for line in of_rounds.values() if line.played and line.final]
        left = made.entries.get(number=number).status == "withdrawn"
        used = 0
        for at in closed if any(line.played for line in of_rounds.values()) else ():
            if at in of_rounds or at < min(of_rounds) or (left and at > max(of_rounds)):
                continue
            used += 1
            if used > rules.most:
                break
            of_round: list[Any] = [o[at].points for o in lines.values() if at in o and o[at].played]
            assert None not in of_round
            told: Any = rules.fixed
            if rules.points == "worst":
                told = max(of_round) if lowest else min(of_round)
            if rules.points in ("average", "own"):
                of_them = own if rules.points == "own" and own else of_round
                told = floor(sum(of_them) / len(of_them) + 0.5)
            cells[at] = (told, True)
        found[number] = cells
    return found


def agree(made: Championship, rows: list[RankingRow], *, closed_only: bool) -> int:
    """Compare the rounds of each row; return the number of absences that count."""
    wanted = recount_absences(made)
    open_ones = set(made.rounds.exclude(status="closed").values_list("number", flat=True))
    absences = 0
    for row in rows:
        cells = wanted.get(row.numbers[0], {})
        if closed_only:
            cells = {at: cell for at, cell in cells.items() if at not in open_ones}
        told = {one.round: (one.points, one.absent is True) for one in row.rounds}
        assert told == cells, row
        assert row.total == sum(one.points or 0 for one in row.rounds if one.counts)
        absences += sum(absent for _, absent in told.values())
    return absences


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("points", ["fixed", "own", "average", "worst"])
@pytest.mark.parametrize("preset", ["santiago", "partnerschieber", "differenzler"])
def test_evenings_with_absences_equal_a_naive_recount(
    preset: str, points: str, most: int, fredi: User
) -> None:
    made = hold(preset, {"points": points, "fixed": 7 if points == "fixed" else 0, "most": most}, fredi)
    chance, steady, seen = random.Random(f"{preset}/{points}/{most}"), LiveRanking(), 0
    groups: dict[int, list[Entry]] = {}
    for entry in made.entries.all():
        groups.setdefault(entry.entrant_id or -entry.pk, []).append(entry)
    units = list(groups.values())
    for number in range(1, 5):
        away = chance.sample(units, 2)
        for entry in [entry for unit in away for entry in unit]:
            entries.leave(entry, actor=fredi)
        if number == 3:
            for entry in chance.choice([unit for unit in units if unit not in away]):
                entries.withdraw_entry(entry, actor=fredi)
        play_round(made, number, fredi)
        live = ranking.live_ranking(made)
        assert asked(steady, made) == live
        agree(made, live, closed_only=False)
        rounds.close_round(made.rounds.get(number=number), actor=fredi, force=True)
        assert asked(steady, made) == ranking.live_ranking(made)
        snapshot = ranking.latest_snapshot(made)
        assert snapshot is not None
        seen = agree(made, ranking.decode_rows(snapshot), closed_only=True)
        for entry in made.entries.exclude(status__in=["arrived", "withdrawn"]):
            entries.arrive(entry, actor=fredi)
    assert seen


def test_rounds_before_the_first_and_after_leaving_give_nothing() -> None:
    credits = AbsenceCredits(((1, 5), (2, 5), (3, 5), (4, 5), (5, 5)), own=False, most=9)
    played = (ScoredRound(2, 90), ScoredRound(4, 80))
    assert [one.round for one in credits.add_to(played, stays=True)] == [2, 4, 3, 5]
    assert [one.round for one in credits.add_to(played, stays=False)] == [2, 4, 3]
    only_byes = (ScoredRound(2, 90, played=False),)
    assert credits.add_to(only_byes, stays=True) == only_byes


def test_a_correction_of_a_closed_round_changes_what_its_absence_gives(fredi: User) -> None:
    made = hold("klubabend", {"points": "worst"}, fredi, deals=1, hand_in="deals")
    live = LiveRanking()
    gone = made.entries.get(number=3)
    for number in (1, 2):
        round_ = made.rounds.get(number=number)
        drawing.draw_round(round_, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in round_.tables.order_by("number"):
            playing.write_sheet(table, [40 + 10 * table.number])
        rounds.close_round(round_, actor=fredi)
        entries.leave(gone, actor=fredi)
    assert {one.points for row in asked(live, made) for one in row.rounds if one.absent is True} == {50}
    reopened = rounds.reopen_round(made.rounds.get(number=2), actor=fredi, reason="Verschrieben")
    assert not any(one.absent is True for row in asked(live, made) for one in row.rounds)
    rounds.close_round(reopened, actor=fredi)
    assert asked(live, made) == ranking.live_ranking(made)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("swiss_pairs", {}),
        ("klubabend", {"counting": {"what": "sum", "tie_breaks": ["buchholz"]}}),
        ("klubabend", {"counting": {"what": "last_round", "tie_breaks": []}}),
        ("klubabend", {"pairing": {"system": "open", "options": {}}}),
    ],
)
def test_absences_give_nothing_where_that_would_change_draws(
    preset: str, changes: dict[str, Any], fredi: User
) -> None:
    with pytest.raises(TournamentError) as refused:
        championships.create(
            actor=fredi, name="A", preset=preset, changes={"absences": {"points": "own"}, **changes}
        )
    assert refused.value.code == "regulations/absences"
