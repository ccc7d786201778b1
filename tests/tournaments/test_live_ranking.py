"""A process's live ranking equals one computed from scratch, after any event of an evening.

It contains nothing of delayed tables, even after officials have read them.
"""

import itertools
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engine import Refused
from games.models import DealResult, Game, User
from games.timers import deadlines
from tests.tournaments import open_evenings, table_play
from tests.tournaments.conftest import NAMES
from tests.tournaments.test_presets import PEOPLE, write_out
from tournaments import regulations
from tournaments.models import Championship, Entry, Official, Round, Table
from tournaments.presets import PRESETS
from tournaments.services import broadcast_delay
from tournaments.services.cache_versions import CacheVersion, load_cache_version
from tournaments.services.championships import championships, officials, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges, substitutions
from tournaments.services.entries import entries, merging, pairs
from tournaments.services.referee import corrections, disputes, rulings
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import ranking_basis, results, tie_break_draws
from tournaments.services.scores.live_ranking import LiveRanking
from tournaments.standings import RankingRow

pytestmark = [pytest.mark.both, pytest.mark.django_db]
Opened = Callable[..., Round]


def asked(live: LiveRanking, made: Championship) -> list[RankingRow]:
    """As a page asks: the cache version first."""
    cache_version = load_cache_version(made.pk)
    assert isinstance(cache_version, CacheVersion)
    made = Championship.objects.get(pk=made.pk)
    return list(live.rows(made, list(made.rounds.order_by("number")), cache_version))


class Processes:
    """Web processes that keep the ranking of one championship up: one looks after each act, one now and then,
    one has just been started."""

    def __init__(self, made: Championship, chance: random.Random) -> None:
        self.made = made
        self.chance = chance
        self.steady, self.seldom = LiveRanking(), LiveRanking()

    def agree(self, after: str) -> None:
        made = Championship.objects.get(pk=self.made.pk)
        wanted = ranking_basis.live_ranking(made)
        if not made.rounds.filter(status__in=ranking_basis.STANDING).exists():
            return
        assert asked(self.steady, made) == wanted, after
        if self.chance.random() < 0.3:
            assert asked(self.seldom, made) == wanted, after
            assert asked(LiveRanking(), made) == wanted, after


class Evening:
    """What may happen in any order; what is refused at this moment does not."""

    def __init__(
        self,
        made: Championship,
        fredi: User,
        gabi: User,
        chance: random.Random,
        pass_: Callable[[int], None],
    ) -> None:
        self.made, self.fredi, self.gabi, self.chance, self.pass_ = made, fredi, gabi, chance, pass_
        self.count = itertools.count(1)

    def table(self, status: str = Round.Status.OPEN) -> Table:
        there = Table.objects.filter(round__championship=self.made, round__status=status, game__isnull=False)
        return self.chance.choice(list(there.select_related("game", "round__championship").order_by("pk")))

    def entry(self) -> Entry:
        return self.chance.choice(list(self.made.entries.order_by("number")))

    def round(self, status: str) -> Round:
        return self.made.rounds.filter(status=status).earliest("number")

    def write_a_deal(self) -> None:
        table = self.table()
        deal = 1 + max(DealResult.objects.filter(game=table.game).values_list("deal", flat=True), default=0)
        points = self.chance.choice([157, 100, 80])
        table_play.enter(table, deal, points, sweep=0 if points == 157 else None)
        table_play.confirm(table, deal)

    def rule(self) -> None:
        result = self.chance.choice(list(DealResult.objects.filter(game__tournament_table__isnull=False)))
        table = Table.objects.select_related("round__championship").get(game=result.game)
        scores = self.chance.choice([[257, 0], [0, 257], [157, 0], [90, 67]])
        ruling: dict[str, Any] = {"kind": "score_change", "deal": result.deal, "scores": scores}
        if self.chance.random() < 0.3:
            ruling = {"kind": "annul_deal", "deal": result.deal}
        dispute = disputes.raise_dispute(table, actor=self.gabi, deal=result.deal)
        rulings.rule(dispute, actor=self.gabi, ruling=ruling, answer="So war es.")

    def correct(self) -> None:
        table = self.table(Round.Status.CLOSED)
        fields = {"card_points": self.chance.choice([[57, 100], [100, 57]])}
        corrections.correct_result(table, 1, fields, actor=self.gabi, reason="Seiten verwechselt")

    def change_chairs(self) -> None:
        one, other = self.entry(), self.entry()
        round_ = self.round(Round.Status.OPEN)
        seat_exchanges.exchange_seats(
            round_, one.number, other.number, actor=self.fredi, reason="verwechselt"
        )

    def step_in(self) -> None:
        late = entries.add_entry(self.made, name=f"Gast {next(self.count)}", actor=self.fredi)
        round_, instead = self.round(Round.Status.OPEN), self.entry().number
        if self.chance.random() < 0.5:
            substitutions.take_chair(
                round_, late.number, instead, bye=self.chance.random() < 0.5, actor=self.fredi
            )
        else:
            substitutions.substitute(round_, late.number, instead, actor=self.fredi)

    def withdraw(self) -> None:
        entries.withdraw_entry(self.entry(), actor=self.fredi, after_round=True)

    def reinstate(self) -> None:
        entries.reinstate(self.entry(), actor=self.fredi)

    def merge(self) -> None:
        struck = self.made.entries.filter(merged_into__isnull=False).first()
        if struck is not None:
            merging.part_entries(struck, actor=self.fredi)
        else:
            merging.merge_entries(self.entry(), self.entry(), actor=self.fredi, reason="zweimal")

    def draw_lots(self) -> None:
        values = {entry.number: self.chance.randint(1, 9) for entry in self.made.entries.all()}
        tie_break_draws.record_tie_break(self.made, "lot", values, actor=self.fredi)

    def show_late(self) -> None:
        minutes = self.chance.choice([0, 5, 15])
        broadcast_delay.set_delay(self.round(Round.Status.OPEN), minutes, actor=self.fredi)

    def wait(self) -> None:
        """Until some or all of what was held back is shown."""
        self.pass_(self.chance.choice([3, 16]))

    def go_on(self) -> None:
        """The open round is closed, the next one drawn and opened."""
        if self.made.rounds.filter(status=Round.Status.OPEN).exists():
            rounds.close_round(self.round(Round.Status.OPEN), actor=self.fredi, force=True, reason="late")
        else:
            drawn = drawing.draw_round(self.round(Round.Status.PLANNED), actor=self.fredi)
            rounds.open_round(drawn, actor=self.fredi)

    def reopen(self) -> None:
        last = self.made.rounds.filter(status=Round.Status.CLOSED).latest("number")
        rounds.reopen_round(last, actor=self.fredi, reason="einer fehlt")
        for table in last.tables.select_related("game", "round__championship"):
            if table.game is not None and table.game.status == Game.Status.CLOSED:
                breaking_off.resume_table(table, actor=self.fredi, reason="einer fehlt")

    def undo(self) -> None:
        draw_undoing.undo_draw(self.round(Round.Status.OPEN), actor=self.fredi, reason="anew")

    def acts(self) -> list[Callable[[], None]]:
        often = [self.write_a_deal] * 8 + [self.go_on, self.rule] * 2
        people = [self.change_chairs, self.step_in, self.withdraw, self.reinstate, self.merge]
        return [
            *often,
            *people,
            self.correct,
            self.draw_lots,
            self.show_late,
            self.wait,
            self.reopen,
            self.undo,
        ]


@pytest.fixture
def pass_(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """So many minutes pass, and workers do what is due."""
    real, passed = timezone.now, timedelta()
    monkeypatch.setattr(timezone, "now", lambda: real() + passed)

    def go_on(minutes: int) -> None:
        nonlocal passed
        passed += timedelta(minutes=minutes)
        for number in deadlines.due(timezone.now()):
            deadlines.run(number)

    return go_on


@pytest.fixture
def evening(
    championship: Championship, fredi: User, gabi: User, arrived: Any, pass_: Callable[[int], None]
) -> Callable[[int], Evening]:
    def make(number: int) -> Evening:
        chance = random.Random(number)
        arrived(chance.choice([8, 13]))
        breaking = chance.sample(["highest_round", "wins", "sweeps", "direct_encounter", "lot"], 4)
        sums: list[dict[str, Any]] = [{"what": "sum"}, {"what": "drop_worst", "number": 1}]
        rules: dict[str, Any] = regulations.encode(load_regulations(championship))
        rules["play"]["mode"] = "sheet"
        rules["counting"] = {**chance.choice(sums), "tie_breaks": breaking}
        regulations_change.change_regulations(championship, rules, actor=fredi)
        return Evening(Championship.objects.get(pk=championship.pk), fredi, gabi, chance, pass_)

    return make


@pytest.mark.long(1)
@pytest.mark.parametrize("number", range(6))
def test_after_whatever_happens_it_is_the_ranking_made_from_everything(
    number: int, evening: Callable[[int], Evening]
) -> None:
    tonight = evening(number)
    processes = Processes(tonight.made, tonight.chance)
    tonight.go_on()
    processes.agree("the first round")
    done = set()
    for _ in range(60):
        act = tonight.chance.choice(tonight.acts())
        try:
            act()
        except (Refused, Round.DoesNotExist, IndexError, ValueError):
            continue
        done.add(act.__name__)
        processes.agree(act.__name__)
    assert len(done) >= 6, done


def few_in_a_team(rules: dict[str, Any]) -> dict[str, Any]:
    """Of members who are drawn alone two count, so that few people make teams."""
    return {"teams": {**rules["teams"], "best": 2}} if "teams" in rules else {}


@pytest.mark.long(3)
@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_kept_up_by_each_preset(preset: str, fredi: User) -> None:
    held = PRESETS[preset]
    rules: dict[str, Any] = regulations.encode(held)
    play, counting = {**rules["play"], "mode": "sheet"}, rules["counting"]
    if counting["what"] in ("drop_worst", "best"):
        counting |= {"number": 1}
    made = championships.create(
        actor=fredi,
        name=preset,
        preset=preset,
        changes={"play": play, "rounds": 2, "counting": counting, **few_in_a_team(rules)},
    )
    people = PEOPLE[held.play.seats] + held.play.seats + (0 if play["format"] == "fixed_pairs" else 1)
    wanted = [
        entries.NewEntry(name, status=Entry.Status.ARRIVED, team=f"Team {at % 3}" if held.has_teams else "")
        for at, name in enumerate(NAMES[:people])
    ]
    there = entries.add_entries(made, wanted, actor=fredi)
    if play["format"] == "fixed_pairs":
        pairs.pair_up(made, zip(there[0::2], there[1::2], strict=True), actor=fredi)
    processes = Processes(made, random.Random(preset))
    for round_ in made.rounds.order_by("number"):
        if held.has_queue:
            open_evenings.open_session(round_, fredi)
        else:
            rounds.open_round(drawing.draw_round(round_, actor=fredi), actor=fredi)
        processes.agree("open")
        for table in Table.objects.filter(round=round_).select_related("game").order_by("number"):
            write_out(table)
            processes.agree("a table")
        rounds.close_round(round_, actor=fredi)
        processes.agree("closed")
    assert len({row.total for row in asked(processes.steady, made)}) > 1


@pytest.mark.long(2)
@pytest.mark.parametrize("number", range(3))
def test_teams_that_are_drawn_are_kept_up_after_whatever_happens(
    number: int, fredi: User, gabi: User, pass_: Callable[[int], None]
) -> None:
    """Three teams with a reserve, at tables side by side."""
    chance = random.Random(f"league/{number}")
    made = championships.create(
        actor=fredi,
        name="Liga",
        preset="team_league",
        changes={
            "rounds": 3,
            "deals": 3,
            "hand_in": "deals",
            "broken_off": {"points": "win", "most": 2},
            "counting": {
                **regulations.encode(PRESETS["team_league"])["counting"],
                "tie_breaks": ["buchholz"],
            },
        },
    )
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    wanted = [
        entries.NewEntry(name, status=Entry.Status.ARRIVED, team=f"Team {at % 3}")
        for at, name in enumerate(NAMES[:15])
    ]
    entries.add_entries(made, wanted, actor=fredi)
    tonight = Evening(made, fredi, gabi, chance, pass_)
    processes = Processes(made, chance)
    tonight.go_on()
    processes.agree("the first round")
    done = set()
    for _ in range(50):
        act = chance.choice(tonight.acts())
        try:
            act()
        except (Refused, Round.DoesNotExist, IndexError, ValueError):
            continue
        done.add(act.__name__)
        processes.agree(act.__name__)
    assert len(done) >= 6, done


def test_what_is_shown_late_is_in_nobodys_ranking_whoever_has_looked(
    championship: Championship,
    fredi: User,
    open_round: Opened,
    client: Client,
    pass_: Callable[[int], None],
) -> None:
    """The offices ask for the effect of a ruling on what only they see; the kept ranking does not know it."""
    round_ = open_round("sheet", "sheet")
    table = round_.tables.order_by("number")[0]
    table_play.write_sheet(table, [100])
    live = LiveRanking()
    before = asked(live, championship)
    broadcast_delay.set_delay(round_, 15, actor=fredi)
    table_play.enter(table, 2, 157, sweep=0)
    table_play.confirm(table, 2)
    client.force_login(fredi)
    assert client.get(reverse("board", args=[championship.slug])).status_code == 200
    office = corrections.preview(Table.objects.get(pk=table.pk), 2, {"card_points": [90, 67]})
    assert office.totals_before == (257 + 100, 57)

    assert asked(live, championship) == before
    pass_(16)
    assert asked(live, championship) == ranking_basis.live_ranking(championship) != before


def test_a_deal_is_read_at_its_own_table_alone(
    championship: Championship, open_round: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_ = open_round("sheet", "sheet", "sheet", "sheet", "sheet", people=20)
    live = LiveRanking()
    asked(live, championship)
    read: list[object] = []
    of_rounds, beside_of = results.load_results, results.load_ranking_inputs

    def tables_read(rounds_: Any, games: Any = None, **more: Any) -> Any:
        read.append(games)
        return of_rounds(rounds_, games, **more)

    def people_read(*of: Any, **more: Any) -> Any:
        read.append("people")
        return beside_of(*of, **more)

    monkeypatch.setattr(results, "load_results", tables_read)
    monkeypatch.setattr(results, "load_ranking_inputs", people_read)
    assert asked(live, championship)
    assert read == []
    table = round_.tables.order_by("number")[1]
    table_play.enter(table, 1, 100)
    assert asked(live, championship)[0].total == 100
    assert read == [[table.game_id]]


@pytest.mark.parametrize(("points", "worth"), [("fixed", 300), ("average", None)])
def test_a_bye_counts_as_soon_as_it_is_known_what_it_gives(
    points: str, worth: int | None, fredi: User
) -> None:
    byes = {"points": points, "fixed": 300}
    made = championships.create(
        actor=fredi, name="Cup", slug="cup", preset="klubabend", changes={"byes": byes}
    )
    entries.add_entries(made, [entries.NewEntry(name, status="arrived") for name in NAMES[:5]], actor=fredi)
    round_ = rounds.open_round(drawing.draw_round(made.rounds.get(number=1), actor=fredi), actor=fredi)
    out = round_.byes.get().entry.number
    for rows in (ranking_basis.live_ranking(made), asked(LiveRanking(), made)):
        assert {row.key: row.rounds[0].points if row.rounds else None for row in rows}[out] == worth


def test_what_was_half_counted_is_counted_again(
    championship: Championship, open_round: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_round("sheet", "sheet").tables.order_by("number")[0]
    live = LiveRanking()
    asked(live, championship)
    table_play.enter(table, 1, 100)
    with monkeypatch.context() as broken:
        broken.setattr("tournaments.standings.incremental_ranking.place_level", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            asked(live, championship)
    assert asked(live, championship) == ranking_basis.live_ranking(championship)


def test_a_table_that_is_not_drawn_again_is_gone(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    """Between two looks a draw was undone and made anew, with fewer who are there."""
    round_ = open_round("sheet", "sheet")
    live = LiveRanking()
    assert len(asked(live, championship)) == 8
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    for entry in championship.entries.order_by("number")[4:]:
        entries.withdraw_entry(entry, actor=fredi)
    drawn = drawing.draw_round(Round.objects.get(pk=round_.pk), actor=fredi)
    rounds.set_mode(drawn.tables.get(), "sheet", actor=fredi)
    table_play.enter(rounds.open_round(drawn, actor=fredi).tables.get(), 1, 100)
    assert asked(live, championship) == ranking_basis.live_ranking(championship)
    assert len(asked(live, championship)) == 4


def test_a_new_process_asks_no_more_queries_after_more_rounds(fredi: User) -> None:
    play = {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet"}
    made = championships.create(
        actor=fredi, name="A", preset="klubabend", changes={"rounds": 4, "deals": 1, "play": play}
    )
    wanted = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:12]]
    entries.add_entries(made, wanted, actor=fredi)
    counts = []
    for round_ in made.rounds.order_by("number"):
        opened = rounds.open_round(drawing.draw_round(round_, actor=fredi), actor=fredi)
        for table in opened.tables.order_by("number"):
            write_out(table)
        with CaptureQueriesContext(connection) as queries:
            asked(LiveRanking(), made)
        counts.append(len(queries))
        rounds.close_round(opened, actor=fredi, force=True)
    assert len(set(counts)) == 1, counts
