"""What missed rounds and tables broken off are worth: evenings by lot equal a naive recount, live, published,
and as a process keeps the ranking.
"""

import io
import json
import random
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import pytest

from games import game_state, store
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tests.tournaments.conftest import NAMES
from tests.tournaments.test_evenings_recounted import (
    Line,
    read_table,
    recount,
    recount_average,
    recount_match,
    recount_table,
)
from tests.tournaments.test_live_ranking import asked
from tests.tournaments.test_presets import some_deal, write_out
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round, Table
from tournaments.presets import PRESETS
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs, presence
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis
from tournaments.services.scores.competition_document import load_competition, name_entrant
from tournaments.services.scores.live_ranking import LiveRanking
from tournaments.standings import Figure, RankingRow, ScoredRound, UnplayedCredits
from tournaments.standings.__main__ import main
from tournaments.standings.competition_ranking import rank_competition
from tournaments.standings.unplayed_points import average, average_own

pytestmark = pytest.mark.django_db
Cells = dict[int, dict[int, tuple[Any, str]]]
"""Number → round → points, and why no table counts."""


def hold(preset: str, fredi: User, people: int = 14, **changes: Any) -> Championship:
    """Create an evening of four rounds at tables with sheets."""
    play = {**regulations.encode(PRESETS[preset])["play"], "mode": "sheet"}
    made = championships.create(
        actor=fredi,
        name=preset,
        preset=preset,
        changes={"play": play, "rounds": 4, **changes},
    )
    wanted = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:people]]
    there = entries.add_entries(made, wanted, actor=fredi)
    if play["format"] == "fixed_pairs":
        pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    return made


def play_round(made: Championship, number: int, fredi: User, left: int | None = None) -> Round:
    """Play a round; the table of the number `left` stops after a deal, or hands in nothing."""
    round_: Round = made.rounds.get(number=number)
    drawing.draw_round(round_, actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        if table.number != left:
            write_out(table)
        elif number != 2 and game_state.load_snapshot(str(table.game_id)).state.hand_in != "totals":
            game, refs = str(table.game_id), table_play.refs(table)
            written = some_deal(game_state.load_snapshot(game).state, 1, random.Random(number))
            submit(game, written, actor=refs[0], command_id="enter:1")
            submit(game, {"cmd": "confirm_result", "deal": 1, "by": "paper"}, actor="fredi", command_id="c:1")
    return round_


class Sat(NamedTuple):
    """A chair of a table: its line, whether its side leads, and whether the table was broken off."""

    line: Line
    leads: bool
    broken_off: bool


def read_chairs(made: Championship) -> dict[int, dict[int, Sat]]:
    """Round → number → chair, from the sheets."""
    held = load_regulations(made)
    up = -1 if held.play.variant == "differenzler" else 1
    found: dict[int, dict[int, Sat]] = {}
    rows = Table.objects.filter(round__championship=made, game__isnull=False)
    for table in rows.select_related("round").prefetch_related("seatings__entry"):
        sides, totals, _deals, whole, closed = read_table(table)
        lines = recount_table(table, "points", False)
        if held.counting.what == "victory_points":
            lines = recount_match(lines)
        for seating in table.seatings.all():
            side = sides[seating.seat]
            others = [other for at, other in enumerate(totals) if at != side]
            leads = all(up * totals[side] > up * other for other in others)
            chair = Sat(lines[seating.seat], leads, closed and not whole)
            found.setdefault(table.round.number, {})[seating.entry.number] = chair
    return found


def value(made: Championship, chairs: Iterable[Sat], rules: regulations.UnplayedRule, own: list[Any]) -> Any:
    """What a round with these chairs is worth to who did not play it; None while nothing is known."""
    held = load_regulations(made)
    if rules.points == "fixed":
        return rules.fixed
    if rules.points == "own" and own:
        return recount_average(held, own)
    known = [one for one in chairs if one.line.points is not None]
    if isinstance(held.broken_off, regulations.UnplayedRule):
        known = [one for one in known if not one.broken_off]
    of_round = [one for one in known if one.line.final] or known
    if not of_round:
        return None
    points: list[Any] = [one.line.points for one in of_round]
    if rules.points == "worst":
        return max(points) if held.play.variant == "differenzler" else min(points)
    if rules.points == "win":
        points = [one.line.points for one in of_round if one.leads] or points
    return recount_average(held, points)


def recount_unplayed(made: Championship) -> Cells:
    """Read every line of the tables again, and add what the rules give, round by round."""
    held = load_regulations(made)
    lines, chairs = recount(made), read_chairs(made)
    closed = sorted(made.rounds.filter(status="closed").values_list("number", flat=True))
    withdrawn = set(made.entries.filter(status="withdrawn").values_list("number", flat=True))
    found: Cells = {}
    for number, of_rounds in lines.items():
        cells: dict[int, tuple[Any, str]] = {at: (line.points, "") for at, line in of_rounds.items()}
        own = [line.points for line in of_rounds.values() if line.played and line.final]
        last = max(of_rounds) if number in withdrawn else max(closed, default=0)
        missed = [at for at in closed if min(of_rounds) < at <= last and at not in of_rounds]
        if not any(line.played for line in of_rounds.values()):
            missed = []
        if held.credits_excused:
            noted = made.entries.get(number=number).excused_rounds
            missed = [at for at in missed if at in noted]
        stopped = [at for at in closed if number in chairs[at] and chairs[at][number].broken_off]
        for why, rules, those in (
            ("absent", held.absences, missed),
            ("broken_off", held.broken_off, stopped),
        ):
            if not isinstance(rules, regulations.UnplayedRule):
                continue
            worths = [(at, value(made, chairs[at].values(), rules, own)) for at in those]
            known = [(at, worth) for at, worth in worths if worth is not None]
            cells |= {at: (worth, why) for at, worth in known[: rules.most]}
            if why == "broken_off":
                cells |= {at: (None, why) for at, _worth in known[rules.most :]}
        found[number] = cells
    return found


def agree(made: Championship, rows: list[RankingRow], *, closed_only: bool) -> dict[str, int]:
    """Compare the rounds of each row; return how many were credited, by reason."""
    wanted = recount_unplayed(made)
    open_ones = set(made.rounds.exclude(status="closed").values_list("number", flat=True))
    seen = {"absent": 0, "broken_off": 0}
    for row in rows:
        cells = wanted.get(row.numbers[0], {})
        if closed_only:
            cells = {at: cell for at, cell in cells.items() if at not in open_ones}
        told = {
            one.round: (
                one.points,
                "absent" if one.absent is True else "broken_off" if one.broken_off is True else "",
            )
            for one in row.rounds
        }
        assert told == cells, row
        assert row.total == sum(one.points or 0 for one in row.rounds if one.counts)
        for _points, why in told.values():
            if why:
                seen[why] += 1
    return seen


def hold_rounds(
    made: Championship, chance: random.Random, fredi: User, *, broken_off: bool
) -> dict[str, int]:
    """Play four rounds with people who miss some; compare all rankings after each act."""
    steady, seen = LiveRanking(), {"absent": 0, "broken_off": 0}
    groups: dict[int, list[Entry]] = {}
    for entry in made.entries.all():
        groups.setdefault(entry.entrant_id or -entry.pk, []).append(entry)
    units = list(groups.values())
    for number in range(1, 5):
        away = chance.sample(units, 2)
        excused = away[0] + chance.choice(units)
        for entry in excused if load_regulations(made).credits_excused else ():
            entry.refresh_from_db()
            presence.excuse_absences(entry, [*entry.excused_rounds, number], actor=fredi)
        for entry in [entry for unit in away for entry in unit]:
            entries.leave(entry, actor=fredi)
        if number == 3:
            for entry in chance.choice([unit for unit in units if unit not in away]):
                entries.withdraw_entry(entry, actor=fredi)
        round_ = play_round(made, number, fredi, 1 if broken_off and number > 1 else None)
        live = ranking_basis.live_ranking(made)
        assert asked(steady, made) == live
        agree(made, live, closed_only=False)
        rounds.close_round(round_, actor=fredi, force=True)
        assert asked(steady, made) == ranking_basis.live_ranking(made)
        snapshot = published_ranking.load_latest_snapshot(made)
        assert snapshot is not None
        seen = agree(made, published_ranking.decode_rows(snapshot), closed_only=True)
        for entry in made.entries.exclude(status__in=["arrived", "withdrawn"]):
            entries.arrive(entry, actor=fredi)
    return seen


PAIRED = ("swiss_pairs", "ladder", "partnerschieber")
ABSENT: list[tuple[str, str, int]] = [
    ("santiago", "fixed", 1),
    ("santiago", "win", 2),
    ("partnerschieber", "own", 3),
    ("partnerschieber", "average", 1),
    ("differenzler", "worst", 3),
    ("differenzler", "win", 1),
]
BROKEN_OFF: list[tuple[str, str, int]] = [
    ("santiago", "own", 1),
    ("santiago", "win", 1),
    ("partnerschieber", "average", 2),
    ("partnerschieber", "fixed", 1),
    ("differenzler", "worst", 1),
    ("differenzler", "win", 2),
]


def state_worth(points: str, most: int) -> dict[str, Any]:
    return {"points": points, "fixed": 7 if points == "fixed" else 0, "most": most}


@pytest.mark.parametrize(("preset", "points", "most"), ABSENT)
def test_evenings_with_absences_equal_a_naive_recount(
    preset: str, points: str, most: int, fredi: User
) -> None:
    made = hold(preset, fredi, absences=state_worth(points, most))
    chance = random.Random(f"{preset}/{points}/{most}")
    assert hold_rounds(made, chance, fredi, broken_off=False)["absent"]


@pytest.mark.parametrize(("preset", "points"), [("santiago", "win"), ("partnerschieber", "average")])
def test_only_absences_that_were_excused_count_where_the_regulations_say_so(
    preset: str, points: str, fredi: User
) -> None:
    made = hold(preset, fredi, absences={**state_worth(points, 2), "excused": True})
    assert hold_rounds(made, random.Random(f"excused/{preset}"), fredi, broken_off=False)["absent"]
    made.refresh_from_db()
    assert not list(row_audit.find_championship_differences(made, store.read(made.stream_id)))
    entry = made.entries.filter(status="arrived").order_by("number")[0]
    for rounds_, code in (([4], "entries/excused_late"), ([9], "entries/no_round")):
        with pytest.raises(TournamentError) as refused:
            presence.excuse_absences(entry, {*entry.excused_rounds} ^ {*rounds_}, actor=fredi)
        assert refused.value.code == code


@pytest.mark.parametrize(("preset", "points", "most"), BROKEN_OFF)
def test_evenings_with_tables_broken_off_equal_a_naive_recount(
    preset: str, points: str, most: int, fredi: User
) -> None:
    made = hold(preset, fredi, broken_off=state_worth(points, most), absences={"points": "win"})
    chance = random.Random(f"{preset}/{points}/{most}")
    assert hold_rounds(made, chance, fredi, broken_off=True)["broken_off"]


@pytest.mark.parametrize(("preset", "points", "most"), [ABSENT[1], BROKEN_OFF[0], BROKEN_OFF[2]])
def test_evenings_by_regulations_of_an_earlier_version_count_whole_averages(
    preset: str, points: str, most: int, fredi: User, former_regulations: None
) -> None:
    worth = state_worth(points, most)
    made = hold(preset, fredi, absences=worth, broken_off=worth)
    assert load_regulations(made).averages is msgspec.UNSET
    chance = random.Random(f"{preset}/{points}/{most}")
    assert all(hold_rounds(made, chance, fredi, broken_off=True).values())
    for snapshot in made.snapshots.all():
        assert not [one for row in snapshot.rows for one in row["rounds"] if isinstance(one["points"], str)]


@pytest.mark.parametrize(
    ("preset", "points"),
    [("swiss_pairs", "average"), ("swiss_pairs", "worst"), ("ladder", "win"), ("ladder", "fixed")],
)
def test_the_document_of_a_draw_by_results_ranks_as_the_championship(
    preset: str, points: str, fredi: User
) -> None:
    """The command line counts the same absences and tables broken off, with Buchholz, as was published."""
    changes: dict[str, Any] = {"absences": state_worth(points, 2), "broken_off": state_worth(points, 1)}
    if preset == "ladder":
        changes["counting"] = {"what": "sum", "tie_breaks": ["buchholz"]}
    made = hold(preset, fredi, **changes)
    chance = random.Random(f"{preset}/{points}")
    seen = hold_rounds(made, chance, fredi, broken_off=True)
    assert seen["absent"]
    assert seen["broken_off"]
    played = list(made.rounds.order_by("number"))
    document, _entries = load_competition(made.pk, played, load_regulations(made))
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    rows = {name_entrant(row.key): row for row in published_ranking.decode_rows(snapshot)}
    missed = {(ref, one.round) for one in document.past for ref in (*one.absent, *one.no_show)}
    assert missed
    assert missed >= {
        (ref, one.round) for ref, row in rows.items() for one in row.rounds if one.absent is True
    }
    for line in rank_competition(document):
        row = rows[line.ref]
        told = {one.round: one.points for one in row.rounds}
        assert (line.total, list(line.rounds)) == (row.total, [told.get(at) for at in range(1, 5)])
        if "lot" not in load_regulations(made).counting.tie_breaks:
            assert (line.place, line.tie_break) == (
                row.place,
                None if row.separation is None else row.separation.tie_break,
            )


def describe_credit(worth: regulations.Byes | regulations.UnplayedRule) -> dict[str, Any]:
    """The credit as the command line reads it."""
    awards = {"average": "mean_of_round", "own": "mean_of_own", "win": "win", "fixed": worth.fixed}
    return {"points": awards[worth.points], "most": getattr(worth, "most", None)}


def rank_by_command_line(made: Championship, capsys: pytest.CaptureFixture[str], **more: Any) -> Any:
    """The ranking that `python -m tournaments.standings rank` makes of the tables, by the rules alone."""
    held = load_regulations(made)
    document, _entries = load_competition(made.pk, list(made.rounds.order_by("number")), held)
    told = msgspec.to_builtins(document)
    for one in told["past"]:
        one["given"] = {}
    told |= {"bye": describe_credit(held.byes), **more}
    for name, worth in (("absence", held.absences), ("broken_off", held.broken_off)):
        told[name] = None if worth is msgspec.UNSET else describe_credit(worth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(msgspec.json.encode(told))))
        assert main(["rank"]) == 0
    return json.loads(capsys.readouterr().out)["ranking"]


@pytest.mark.parametrize("seed", range(10))
def test_a_championship_ranks_as_the_command_line_with_fractions(
    seed: int, fredi: User, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(f"exact/{seed}")
    preset = ["swiss_pairs", "santiago", "differenzler", "ladder", "partnerschieber"][seed % 5]
    by_results = preset in ("swiss_pairs", "ladder")
    worths = ["average", "win", *([] if by_results else ["own"])]
    tie_breaks = chance.choice([["highest_round"], ["buchholz"], ["buchholz", "next_highest"]])
    what, number = chance.choice([("sum", 0), ("drop_worst", 1), ("best", 2), ("average", 2)])
    changes: dict[str, Any] = {
        "counting": {"what": what, "number": number, "tie_breaks": tie_breaks},
        "byes": {"policy": "sit_out", "points": chance.choice(worths)},
        "absences": {"points": chance.choice(worths), "most": chance.randint(1, 2), "excused": True},
        "broken_off": {"points": chance.choice(worths), "most": chance.randint(1, 2)},
    }
    made = hold(preset, fredi, 14 if preset in PAIRED else 15, **changes)
    play_with_absences(made, chance, fredi)
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    rows = {name_entrant(row["key"]): row for row in snapshot.rows}
    lines = rank_by_command_line(made, capsys)
    assert rows.keys() == {line["ref"] for line in lines}
    for line in lines:
        row, number = rows[line["ref"]], made.rounds.count()
        told = {one["round"]: one["points"] for one in row["rounds"]}
        assert (line["total"], line["rounds"]) == (row["total"], [told.get(at + 1) for at in range(number)])
        assert line["place"] == row["place"]
    made.refresh_from_db()
    assert not list(row_audit.find_championship_differences(made, store.read(made.stream_id)))
    for round_ in made.rounds.all():
        assert not list(row_audit.find_round_differences(round_, store.read(round_.stream_id)))


def play_with_absences(made: Championship, chance: random.Random, fredi: User) -> None:
    """Play four rounds with byes, excused absences and tables broken off."""
    units: dict[int, list[Entry]] = {}
    for entry in made.entries.all():
        units.setdefault(entry.entrant_id or -entry.pk, []).append(entry)
    for number in range(1, 5):
        away = chance.choice(list(units.values())) if number > 1 else []
        for entry in away:
            entry.refresh_from_db()
            presence.excuse_absences(entry, [*entry.excused_rounds, number], actor=fredi)
            entries.leave(entry, actor=fredi)
        round_ = play_round(made, number, fredi, 1 if number > 1 else None)
        rounds.close_round(round_, actor=fredi, force=True)
        for entry in away:
            entry.refresh_from_db()
            entries.arrive(entry, actor=fredi)


def test_rounds_before_the_first_and_after_leaving_give_nothing() -> None:
    credits = UnplayedCredits(((1, 5), (2, 5), (3, 5), (4, 5), (5, 5)), own=None, most=9)
    played = (ScoredRound(2, 90), ScoredRound(4, 80))
    assert [one.round for one in credits.add_absences(played, stays=True)] == [2, 4, 3, 5]
    assert [one.round for one in credits.add_absences(played, stays=False)] == [2, 4, 3]
    only_byes = (ScoredRound(2, 90, played=False),)
    assert credits.add_absences(only_byes, stays=True) == only_byes


@pytest.mark.parametrize(
    ("points", "mean"), [([1, 2], 2), ([-1, -2], -1), ([1, 1, 2], 1), ([1, 2, 2], 2), ([Fraction(1, 2)], 1)]
)
def test_an_average_is_exact_or_whole_with_half_a_point_rounded_up(points: list[Figure], mean: int) -> None:
    rounds_ = [ScoredRound(at, one) for at, one in enumerate(points, 1)]
    assert average(points, "whole") == average_own(rounds_, "whole") == mean
    assert average(points, "exact") == average_own(rounds_, "exact") == Fraction(sum(points)) / len(points)


def test_a_correction_of_a_closed_round_changes_what_its_absence_gives(fredi: User) -> None:
    made = hold("klubabend", fredi, absences={"points": "worst"}, deals=1, hand_in="deals")
    live = LiveRanking()
    gone = made.entries.get(number=3)
    for number in (1, 2):
        round_ = made.rounds.get(number=number)
        drawing.draw_round(round_, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in round_.tables.order_by("number"):
            table_play.write_sheet(table, [40 + 10 * table.number])
        rounds.close_round(round_, actor=fredi)
        entries.leave(gone, actor=fredi)
    assert {one.points for row in asked(live, made) for one in row.rounds if one.absent is True} == {50}
    reopened = rounds.reopen_round(made.rounds.get(number=2), actor=fredi, reason="Verschrieben")
    assert not any(one.absent is True for row in asked(live, made) for one in row.rounds)
    rounds.close_round(reopened, actor=fredi)
    assert asked(live, made) == ranking_basis.live_ranking(made)


def test_a_later_table_broken_off_gives_nothing_and_only_closed_rounds_are_credited() -> None:
    credits = UnplayedCredits(((1, 5), (2, 5), (3, 5)), own="whole", most=1)
    played = (
        ScoredRound(1, 90),
        ScoredRound(2, 10, unfinished="broken_off", broken_off=True, at=4),
        ScoredRound(3, None, unfinished="none", broken_off=True),
        ScoredRound(4, 20, unfinished="broken_off", broken_off=True),
    )
    assert credits.replace_broken_off(played) == (
        played[0],
        ScoredRound(2, 90, played=False, broken_off=True, at=4),
        ScoredRound(3, None, played=False, broken_off=True),
        played[3],
    )


@pytest.mark.parametrize(
    ("preset", "changes", "code"),
    [
        ("swiss_pairs", {"absences": {"points": "own"}}, "regulations/absences"),
        ("swiss_pairs", {"broken_off": {"points": "own"}}, "regulations/broken_off"),
        ("klubabend", {"counting": {"what": "last_round"}, "absences": {}}, "regulations/absences"),
        ("klubabend", {"counting": {"what": "last_round"}, "broken_off": {}}, "regulations/broken_off"),
        ("open_heat", {"absences": {}}, "regulations/absences"),
        ("cup", {"broken_off": {}}, "regulations/broken_off"),
        ("team_league", {"absences": {}}, "regulations/absences"),
    ],
)
def test_unplayed_rounds_give_nothing_where_that_has_no_sense(
    preset: str, changes: dict[str, Any], code: str, fredi: User
) -> None:
    with pytest.raises(TournamentError) as refused:
        championships.create(actor=fredi, name="A", preset=preset, changes=changes)
    assert refused.value.code == code
