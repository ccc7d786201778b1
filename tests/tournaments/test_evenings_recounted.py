"""Whole evenings of every preset, drawn by lot, equal a naive recount that reads the logs and shares no code.

Tables hand in nothing or only a part, people leave or come late, deals are annulled, results corrected. The
test compares the live ranking, the published one, the exported file and the prizes.
"""

import csv
import io
import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from engine import IllegalCommand
from games import game_state, store
from games.appending import record
from games.models import Game, User
from games.play.submit import submit
from tests.tournaments import field_evenings, open_evenings, table_play
from tests.tournaments.conftest import NAMES
from tests.tournaments.test_presets import LONGEST, WITHOUT_TEAMS, some_deal, write_totals
from tournaments import regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.events import StandingsPublished
from tournaments.models import Bye, Championship, Entry, Official, Round, StandingsSnapshot, Table
from tournaments.presets import PRESETS
from tournaments.prizes import Prize, PrizePlan
from tournaments.regulations import Regulations
from tournaments.services import prize_giving
from tournaments.services.championships import championships, officials
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing, seating_by_hand
from tournaments.services.entries import entries, pairs
from tournaments.services.referee import corrections, disputes, rulings
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports, published_ranking, ranking_basis
from tournaments.services.scores.bracket import has_bracket
from tournaments.standings import Figure, RankingRow

STEPS = (10, 30, 50, 80, 110, 140, 170, 200, 240, 280)
"""Least leads of the usual scale of 20."""
FEWEST = {"differenzler"}
"""Games in which the fewest points win, as the rules say."""
PEOPLE = {2: 7, 3: 10, 4: 14}
WHIST_PEOPLE = 12
"""There is no whist schedule for 14."""


class Line(NamedTuple):
    """One round of one number, recounted."""

    points: Figure | None
    final: bool
    played: bool = True


# --- the naive recount


def read_table(table: Table) -> tuple[list[int], list[int], int, bool, bool]:
    """(side of each seat, totals, deals that count, all is there, broken off), from the log."""
    events = list(store.read(str(table.game_id)))
    started = events[0].body
    state = game_state.load_snapshot(str(table.game_id)).state
    totals, standing, known, ended, closed = [0] * len(state.totals), set(), set(), False, False
    for event in events:
        body = event.body
        totals = body.get("totals") or totals
        if event.type in ("result_entered", "result_corrected", "deal_scored"):
            standing.add(body["deal"])
            known.add(body["deal"])
        if event.type == "deal_annulled":
            standing.discard(body["deal"])
            known.discard(body["deal"])
        ended = ended or event.type == "game_ended"
        closed = event.type == "game_closed" or (closed and event.type != "game_resumed")
    deals = 1 if started.get("hand_in") == "totals" else started["options"].get("deals")
    seats = started["seats"]
    sides = list(range(seats)) if len(totals) == seats else [seat % 2 for seat in range(seats)]
    if (seats, len(totals)) == (3, 2):  # one against two
        sides = [int(seat != state.declarer) for seat in range(seats)]
    whole = (ended and not closed) or bool(deals and len(standing) >= deals)
    return sides, totals, len(known), whole, closed


def recount_table(table: Table, credit: str, scaled: bool) -> list[Line]:
    """The line of each seat."""
    sides, totals, deals, whole, _closed = read_table(table)
    if not (whole or deals or any(totals)):
        return [Line(None, False)] * len(sides)
    factor = 4 / 3 if scaled and len(sides) == 3 and table.round.championship else 1.0
    if credit == "points":
        return [Line(int(totals[side] * factor + 0.5 // 1), whole) for side in sides]
    winners = game_state.load_snapshot(str(table.game_id)).state.winners
    over = any(event.type == "game_ended" for event in store.read(str(table.game_id)))
    if not over:
        return [Line(None, False)] * len(sides)
    return [
        Line(sum(other not in winners for other in sides) if side in winners else 0, whole) for side in sides
    ]


def recount_match(of_table: list[Line]) -> list[Line]:
    """The victory points of each seat, on the usual scale of 20."""
    points: list[Any] = [line.points for line in of_table]
    if None in points:
        return of_table
    leads = [(mine or 0) - (points[1 - seat % 2] or 0) for seat, mine in enumerate(points)]
    steps = [sum(abs(lead) >= least for least in STEPS) for lead in leads]
    return [
        Line(10 + step if lead > 0 else 10 - step, line.final)
        for step, lead, line in zip(steps, leads, of_table, strict=True)
    ]


def write_cell(points: Any) -> str:
    """A figure of a spreadsheet: whole, else rounded to four decimals."""
    return str(int(points)) if points == int(points) else str(round(float(points), 4))


def recount_field(round_: Round, planned: int) -> dict[int, list[Line]]:
    """Table → the line of each seat against the other tables, deal by deal."""
    tables = list(Table.objects.filter(round=round_, game__isnull=False))
    deals = {table.pk: field_evenings.read_deals(table, planned) for table in tables}
    held = len({deal for of in deals.values() for deal in of})
    found = {}
    for table in tables:
        sides, totals, known, whole, _closed = read_table(table)
        lines = []
        for side in sides:
            leads = []
            for deal, points in deals[table.pk].items():
                others = [of[deal][side] for pk, of in deals.items() if pk != table.pk and deal in of]
                if others:
                    leads.append(points[side] - Fraction(sum(others), len(others)))
            there = leads and (whole or known or any(totals))
            lines.append(Line(sum(leads) * Fraction(held, len(leads)), whole) if there else Line(None, False))
        found[table.pk] = lines
    return found


def recount_starts(championship: Championship, statuses: list[str]) -> dict[int, dict[int, Line]]:
    """Number of the person → start, by number → line, of sessions with these statuses."""
    held = load_regulations(championship)
    found: dict[int, dict[int, Line]] = {}
    lines = [
        (seating.entry.number, (seating.entry.start_of or seating.entry).number, of_table[seating.seat])
        for table in Table.objects.filter(round__championship=championship, round__status__in=statuses)
        for of_table in [recount_table(table, held.play.credit, False)]
        for seating in table.seatings.select_related("entry__start_of")
    ]
    for _number, person, line in sorted(lines, key=lambda one: one[0]):
        of_person = found.setdefault(person, {})
        of_person[len(of_person) + 1] = line
    return found


def recount(championship: Championship) -> dict[int, dict[int, Line]]:
    """Number → round → line, for every round that was opened; in an open heat person → start → line."""
    held = load_regulations(championship)
    if held.has_queue:
        return recount_starts(championship, ["open", "closed"])
    found: dict[int, dict[int, Line]] = {}
    for round_ in championship.rounds.filter(status__in=["open", "closed"]):
        lines: list[Line] = []
        against_field = recount_field(round_, held.deals) if held.play.credit == "field" else {}
        for table in Table.objects.filter(round=round_).select_related("round"):
            of_table = against_field.get(table.pk) or recount_table(table, held.play.credit, False)
            if held.counting.what == "victory_points":
                of_table = recount_match(of_table)
            lines += of_table
            for seating in table.seatings.select_related("entry"):
                found.setdefault(seating.entry.number, {})[round_.number] = of_table[seating.seat]
        if round_.status != "closed" and held.byes.points == "average":
            continue
        whole = [line.points for line in lines if line.points is not None and line.final]
        whole = whole or [line.points for line in lines if line.points is not None]
        bye: Figure | None = held.byes.fixed
        if held.byes.points == "average":
            bye = recount_average(held, whole) if whole else None
        for row in Bye.objects.filter(round=round_).select_related("entry"):
            if bye is not None:
                found.setdefault(row.entry.number, {})[round_.number] = Line(bye, True, played=False)
    return found


def recount_average(held: Regulations, points: Sequence[Any]) -> Fraction:
    """The average by the regulations: exact, or in those of an earlier version whole, a half rounded up."""
    exact = Fraction(sum(points)) / len(points)
    return exact if held.averages == "exact" else Fraction(math.floor(exact + Fraction(1, 2)))


def recount_totals(championship: Championship, *, closed_only: bool) -> dict[int, tuple[int, Figure]]:
    """Number → (rounds that count, their sum)."""
    held = load_regulations(championship)
    statuses = ["closed"] if closed_only else ["open", "closed"]
    numbers = set(championship.rounds.filter(status__in=statuses).values_list("number", flat=True))
    lowest = held.play.variant in FEWEST and held.play.credit == "points"
    found = {}
    told = recount_starts(championship, statuses) if held.has_queue else recount(championship)
    for number, lines in told.items():
        points = [
            line.points
            for round_, line in lines.items()
            if (round_ in numbers or held.has_queue)
            and line.points is not None
            and (line.final or not lowest)
        ]
        if held.counting.what == "last_round":
            end = lines[max(set(lines) & numbers)] if set(lines) & numbers else Line(None, False)
            points = [end.points] if end.points is not None and (end.final or not lowest) else []
        points.sort(reverse=not lowest)
        if held.counting.what == "drop_worst":
            points = points[: max(1, len(numbers) - held.counting.number)]
        if held.counting.what == "best":
            points = points[: held.counting.number]
        found[number] = (len(points), sum(points))
    return found


# --- the evening


class Evening:
    def __init__(self, preset: str, seed: int, fredi: User, gabi: User, **changes: Any) -> None:
        self.chance = random.Random(f"{preset}/{seed}")
        held = PRESETS[preset]
        play = {**regulations.encode(held)["play"], "mode": "sheet", **changes.pop("play", {})}
        if held.deals:
            changes["deals"] = 4 if held.play.format == "solo" else 3
        self.championship = championships.create(
            actor=fredi, name=preset, preset=preset, changes={"play": play, "rounds": 3, **changes}
        )
        officials.appoint(self.championship, gabi, Official.Role.REFEREE, actor=fredi)
        self.fredi, self.gabi = fredi, gabi
        count = WHIST_PEOPLE if held.pairing_system == "whist" else PEOPLE[held.play.seats]
        people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:count]]
        there = entries.add_entries(self.championship, people, actor=fredi)
        self.fixed = play["format"] == "fixed_pairs"
        self.has_queue = held.has_queue
        if self.fixed:
            pairs.pair_up(self.championship, zip(there[0::2], there[1::2], strict=True), actor=fredi)

    def play_round(self, round_: Round) -> None:
        if self.has_queue:
            open_evenings.open_session(round_, self.fredi)
        else:
            drawing.draw_round(round_, actor=self.fredi)
            rounds.open_round(round_, actor=self.fredi)
        tables = list(Table.objects.filter(round=round_).select_related("game", "round").order_by("number"))
        for table in tables:
            self.write(table, self.chance.choice(["all", "all", "part", "nothing"]))
        self.rule(self.chance.choice(tables))
        self.compare_live()
        rounds.close_round(round_, actor=self.fredi, force=True)
        self.correct(self.chance.choice(tables))
        self.compare_published()

    def write(self, table: Table, how_much: str) -> None:
        refs, game = table_play.refs(table), str(table.game_id)
        if how_much == "nothing":
            return
        if game_state.load_snapshot(game).state.hand_in == "totals":
            write_totals(table, refs[0])
            return
        for deal in range(1, LONGEST):
            state = game_state.load_snapshot(game).state
            if state.over or (how_much == "part" and deal > 2):
                return
            self.enter(game, some_deal(state, deal, self.chance), refs[0], deal)
            confirm = {"cmd": "confirm_result", "deal": deal, "by": "paper"}
            submit(game, confirm, actor=self.fredi.username, command_id=f"confirm:{deal}")

    def enter(self, game: str, written: dict[str, Any], ref: str, deal: int) -> None:
        """Where several sides reach their targets, the sheet asks which was first."""
        for answer in ({}, {"first": 0}, {"first": 1}):
            try:
                submit(game, {**written, **answer}, actor=ref, command_id=f"enter:{deal}:{answer}")
                return
            except IllegalCommand as refusal:
                if refusal.code not in ("sheet/first_missing", "sheet/not_first"):
                    raise
        pytest.fail("no side can have been first")

    def rule(self, table: Table) -> None:
        """A deal is annulled, or a penalty is given."""
        state = game_state.load_snapshot(str(table.game_id)).state
        if not state.results or state.hand_in == "totals":
            return
        table = Table.objects.select_related("game", "round__championship").get(pk=table.pk)
        dispute = disputes.raise_dispute(table, actor=self.gabi, deal=1)
        kind = self.chance.choice(["annul_deal", "warning"])
        ruling: dict[str, Any] = {"kind": kind}
        if kind == "annul_deal":
            ruling["deal"] = 1
        rulings.rule(dispute, actor=self.gabi, ruling=ruling, answer="So ist es.")

    def correct(self, table: Table) -> None:
        state = game_state.load_snapshot(str(table.game_id)).state
        if not state.results or state.rulings or state.hand_in == "totals":
            return
        fields = some_deal(state, 1, self.chance)
        for name in ("cmd", "seat", "deal"):
            fields.pop(name)
        corrections.correct_result(table, 1, fields, actor=self.fredi, reason="Verschrieben")

    def come_and_go(self) -> None:
        if self.fixed:
            return
        here = self.championship.entries.filter(start_of=None).exclude(status="withdrawn")
        leaver = self.chance.choice(list(here if self.has_queue else here.filter(status="arrived")))
        entries.withdraw_entry(leaver, actor=self.fredi)
        late = NAMES[self.championship.entries.filter(start_of=None).count()]
        entries.add_entry(self.championship, actor=self.fredi, name=late, status="arrived")

    # --- what it has to be

    def compare_live(self) -> None:
        if load_regulations(self.championship).plays_same_cards:
            return  # deals wait for each other before they are shown
        self.compare(ranking_basis.live_ranking(self.championship), closed_only=False)

    def compare_published(self) -> None:
        snapshot = published_ranking.load_latest_snapshot(self.championship)
        assert snapshot is not None
        rows = published_ranking.decode_rows(snapshot)
        self.compare(rows, closed_only=True)
        self.compare_export(rows)
        self.compare_prizes(rows)

    def line_of(self, row: RankingRow) -> tuple[int, Figure]:
        """Of a pair the line of its first member."""
        return self.totals[row.numbers[0]]

    def compare(self, rows: list[RankingRow], *, closed_only: bool) -> None:
        held = load_regulations(self.championship)
        self.totals = recount_totals(self.championship, closed_only=closed_only)
        for entry in self.championship.entries.filter(status="arrived") if not self.has_queue else ():
            self.totals.setdefault(entry.number, (0, 0))
        lines = [self.line_of(row) for row in rows]
        assert [(row.has_result, row.total) for row in rows] == [(bool(n), total) for n, total in lines]
        assert {number for row in rows for number in row.numbers} == set(self.totals)
        lowest = held.play.variant in FEWEST and held.play.credit == "points"
        if held.counting.what in ("nearest", "last_round") or has_bracket(held):
            return
        keys = [(-n, total) if lowest else (-bool(n), -total) for n, total in lines]
        assert keys == sorted(keys)
        for row, key in zip(rows, keys, strict=True):
            assert row.place > sum(other < key for other in keys)

    def compare_export(self, rows: list[RankingRow]) -> None:
        made = exports.export(self.championship, "standings", "csv", actor=self.fredi)
        head, *lines = csv.reader(io.StringIO(made.data.decode("utf-8-sig")), delimiter=";")
        total = head.index("total")
        assert [float(line[total]) for line in lines] == [round(float(row.total), 4) for row in rows]
        said = recount(self.championship)
        column = "start" if self.has_queue else "round"
        for row, line in zip(rows, lines, strict=True):
            for number, told in said[row.numbers[0]].items() if row.numbers[0] in said else ():
                cell = line[head.index(f"{column} {number}")].strip("()'")
                assert cell == ("–" if told.points is None else write_cell(told.points))

    def compare_prizes(self, rows: list[RankingRow]) -> None:
        """The first prize goes to the best of the recount, nobody without a result has the best round."""
        plan = PrizePlan(
            prizes=(Prize(kind="place", number=1, amount=100), Prize(kind="best_round", number=1, amount=50))
        )
        prize_giving.set_plan(self.championship, plan, actor=self.fredi)
        awards = prize_giving.load_giving(self.championship).awards
        assert {one.key for one in awards if one.prize == 0} <= {row.key for row in rows if row.place == 1}
        best = [self.totals[one.key][0] for one in awards if one.prize == 1 and not self.fixed]
        only_last = load_regulations(self.championship).counting.what == "last_round"
        assert only_last or all(best)


@pytest.fixture
def evening(fredi: User, gabi: User) -> Callable[..., Evening]:
    return lambda preset, seed, **changes: Evening(preset, seed, fredi, gabi, **changes)


def hold(evening: Evening) -> None:
    for round_ in evening.championship.rounds.order_by("number"):
        evening.play_round(round_)
        evening.come_and_go()


@pytest.mark.long(8)
@pytest.mark.django_db
@pytest.mark.parametrize("preset", WITHOUT_TEAMS)
def test_an_evening_of_each_preset_equals_a_naive_recount(
    preset: str, evening: Callable[..., Evening]
) -> None:
    hold(evening(preset, 1))


@pytest.mark.long(3)
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("preset", WITHOUT_TEAMS)
def test_more_evenings_equal_a_naive_recount(preset: str, seed: int, evening: Callable[..., Evening]) -> None:
    held = PRESETS[preset]
    credit = "wins" if seed % 3 == 0 and not held.counts_matches else held.play.credit
    hold(evening(preset, seed, play={"credit": credit}))


@pytest.mark.django_db
def test_nine_people_and_a_table_that_hands_in_nothing(fredi: User) -> None:
    """The fewest points win: the table without a result does not lead, and the bye gets the real average."""
    made = championships.create(actor=fredi, name="D", preset="differenzler", changes={"rounds": 1})
    people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:9]]
    entries.add_entries(made, people, actor=fredi)
    round_ = made.rounds.get()
    seating_by_hand.seat_by_hand(round_, [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    one = Table.objects.get(round=round_, number=1)
    for deal in range(1, 5):
        written = {
            "cmd": "enter_result", "seat": 0, "deal": deal,
            "card_points": [37, 40, 40, 40], "predictions": [57, 60, 60, 60],
        }  # fmt: skip
        submit(str(one.game_id), written, actor=table_play.refs(one)[0], command_id=f"e{deal}")
        signed = {"cmd": "confirm_result", "deal": deal, "by": "paper"}
        submit(str(one.game_id), signed, actor="fredi", command_id=f"c{deal}")
    assert [row.key for row in ranking_basis.live_ranking(made)][:4] == [1, 2, 3, 4]
    rounds.close_round(round_, actor=fredi, force=True)
    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    assert [(row.key, row.total) for row in rows[:5]] == [(1, 80), (2, 80), (3, 80), (4, 80), (9, 80)]
    assert [row.has_result for row in rows] == [True] * 5 + [False] * 4
    assert {r.unfinished for row in rows[5:] for r in row.rounds} == {"none"}
    assert Game.objects.filter(status="closed").count() == 1


@pytest.mark.django_db
def test_the_game_says_which_way_a_ranking_runs(fredi: User) -> None:
    made = championships.create(actor=fredi, name="D", preset="differenzler")
    data = regulations.encode(load_regulations(made))
    assert "lowest_wins" not in data["counting"]
    for preset, stated in (("differenzler", False), ("santiago", True)):
        told = regulations.encode(PRESETS[preset])
        told["counting"]["lowest_wins"] = stated
        with pytest.raises(TournamentError) as refused:
            regulation_checks.decode(told)
        assert refused.value.code == "regulations/direction"
        assert regulation_checks.decode_stored(told).directions().total == (-1 if stated is False else 1)
        told["counting"]["lowest_wins"] = not stated
        regulation_checks.decode(told)
    wins = regulations.encode(PRESETS["differenzler"])
    wins["play"]["credit"] = "wins"
    assert regulation_checks.decode(wins).directions() == (1, -1)


@pytest.mark.django_db
def test_a_ranking_of_the_old_counting_is_published_anew_once(
    championship: Championship, fredi: User
) -> None:
    people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:8]]
    entries.add_entries(championship, people, actor=fredi)
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    rounds.close_round(round_, actor=fredi, force=True)
    assert published_ranking.republish_by_new_counting() == 0
    was = championship.snapshots.get()
    rows = [
        {**row, "rounds": [{"round": 1, "points": 0, "sweeps": 0, "counts": True, "played": True}]}
        for row in was.rows
    ]
    old = StandingsSnapshot.objects.create(
        championship=championship, after_round=1, version=2, rows=rows, reason="round_closed"
    )
    event = StandingsPublished(
        after_round=1, version=2, digest=published_ranking.digest_rows(rows), reason="round_closed"
    )
    record(championship.stream_id, event, actor="server")
    assert published_ranking.republish_by_new_counting() == 1
    newest = published_ranking.load_latest_snapshot(championship)
    assert newest is not None
    assert (newest.version, newest.reason, newest.rows) == (3, "new_counting", was.rows)
    old.refresh_from_db()
    assert old.rows == rows
    assert published_ranking.republish_by_new_counting() == 0
