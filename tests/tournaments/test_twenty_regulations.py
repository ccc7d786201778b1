"""The published regulations, played to their final rankings, equal a naive recount written for this test.

The table below names them all, and a test of its number plays each. Results are entered on sheets, because
the cards do not matter here.
"""

import itertools
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db.models import F

from games import game_state, store
from games.models import Game, User
from games.play.submit import submit
from tests.tournaments import table_play
from tests.tournaments.field_evenings import recount as recount_field
from tests.tournaments.files_from_elsewhere import play_elsewhere
from tests.tournaments.open_evenings import open_session
from tests.tournaments.test_presets import LONGEST, some_deal
from tournaments import regulations
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import (
    Bye,
    Championship,
    ClubSeries,
    Entry,
    OutsideEvent,
    Person,
    Round,
    StandingsSnapshot,
    Table,
)
from tournaments.presets import PRESETS
from tournaments.prizes import Prize, PrizePlan
from tournaments.series.presets import SERIES_PRESETS
from tournaments.services import prize_giving
from tournaments.services.championships import championships, regulations_change
from tournaments.services.championships.championship_copy import duplicate_championship
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import fewer_rounds, rounds
from tournaments.services.scores import published_ranking, ranking_basis
from tournaments.services.series import editing, outside_files, tickets
from tournaments.services.series.finals import make_final
from tournaments.services.series.loading import load_series
from tournaments.services.series.outside_matching import take_event
from tournaments.standings import Figure, RankingRow

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


class Published(NamedTuple):
    """One line of the table: who plays, and the preset that runs it, of a championship or of a series."""

    who: str
    preset: str
    of_series: bool = False


REGULATIONS = {
    1: Published("Einzelschieber, partners drawn each round", "einzelschieber"),
    2: Published("the same, all rounds drawn at the start", "einzelschieber"),
    3: Published("fixed pairs, opponents drawn", "partnerschieber"),
    4: Published("single entries made into pairs by the desk", "partnerschieber"),
    5: Published("everyone alone", "differenzler"),
    6: Published("Differenzler, tables drawn every 4 deals", "differenzler"),
    7: Published("open heat over a month in four inns", "threshold", True),
    8: Published("13 heats, the best fifth of each in the final", "share_of_heats", True),
    9: Published("season: 4 evenings and a double-counting final", "season", True),
    10: Published("club year: best n of m, average for who missed few", "club_year", True),
    11: Published("two rounds, nearest to a sealed number", "preisjassen"),
    12: Published("four tables, winner up, last down, 8 evenings", "ladder"),
    13: Published("qualifiers of 19 sections, final of 120", "sections", True),
    14: Published("section against section, teams of 8", "sections"),
    15: Published("cup, knock-out over weeks, best of 3", "cup_best_of_three"),
    16: Published("everybody partners everybody", "whist"),
    17: Published("Swiss for pairs", "swiss_pairs"),
    18: Published("the same cards at all tables", "against_the_field"),
    19: Published("two games in one day, teams from their members", "two_games", True),
    20: Published("four rounds, best 8 pairs into quarter-finals", "preliminary", True),
}


def test_every_published_line_has_a_preset_and_is_played_here() -> None:
    assert list(REGULATIONS) == list(range(1, 21))
    for line in REGULATIONS.values():
        assert line.preset in (SERIES_PRESETS if line.of_series else PRESETS)
    names = re.findall(r"^def test_(\d+(?:_and_\d+)?)_", Path(__file__).read_text(), re.MULTILINE)
    assert {int(number) for name in names for number in name.split("_and_")} == {*REGULATIONS}


# --- bots that play


@pytest.fixture
def director(user: Callable[[str], User]) -> User:
    made = user("Fredi")
    made.may_found = True
    made.save(update_fields=["may_found"])
    return made


def people(count: int, since: int = 0) -> list[str]:
    return [f"Vorname{n} Nachname{n}" for n in range(since, since + count)]


def prepare(
    director: User, number: int, names: Sequence[str], *, name: str = "Abend", **changes: Any
) -> Championship:
    """A championship by the regulations of this number, with everybody there; pairs in the order of names.

    in_teams: the team by name.
    """
    preset = REGULATIONS[number].preset if not REGULATIONS[number].of_series else changes.pop("preset")
    play = {**regulations.encode(PRESETS[preset])["play"], "mode": "sheet", **changes.pop("play", {})}
    teams = changes.pop("in_teams", {})
    made = championships.create(actor=director, name=name, preset=preset, changes={"play": play, **changes})
    arrived = [entries.NewEntry(one, status=Entry.Status.ARRIVED, team=teams.get(one, "")) for one in names]
    there = entries.add_entries(made, arrived, actor=director)
    if play["format"] == "fixed_pairs":
        pairs.pair_up(made, zip(there[0::2], there[1::2], strict=True), actor=director)
    return made


def write(table: Table) -> None:
    """Hand in a result that differs from table to table and from round to round."""
    game, refs = str(table.game_id), table_play.refs(table)
    state = game_state.load_snapshot(game).state
    chance = random.Random(f"{table.round.championship.name}/{table.round.number}/{table.number}")
    if state.hand_in == "totals":
        held = load_regulations(table.round.championship)
        line: dict[str, Any] = {"cmd": "enter_result", "deal": 1}
        bonus = held.play.options.get("sweep_bonus", 50 if held.play.preset == "partnerschieber" else 100)
        swept = [0, 0]
        if held.records_sweeps(rewarded=prize_giving.records_sweeps(table.round.championship)):
            swept = [chance.randrange(3), chance.randrange(2)]
            line["sweeps"] = swept
        whole = 157 * held.deals + bonus * sum(swept)
        least = [(157 + bonus) * own for own in swept]
        ours = chance.randrange(least[0], whole - least[1] + 1)
        line["scores"] = [ours, whole - ours]
        submit(game, line, actor=refs[0], command_id="totals")
        submit(game, {"cmd": "confirm_result", "deal": 1, "by": "paper"}, actor=refs[0], command_id="paper")
        return
    for deal in range(1, LONGEST):
        written = some_deal(game_state.load_snapshot(game).state, deal, chance)
        submit(game, written, actor=refs[0], command_id=f"enter:{deal}")
        submit(
            game,
            {"cmd": "confirm_result", "deal": deal, "by": "paper"},
            actor=refs[0],
            command_id=f"paper:{deal}",
        )
        if game_state.load_snapshot(game).state.over:
            return
    pytest.fail("this sheet does not come to an end")


def play(made: Championship, director: User) -> list[RankingRow]:
    """Play every round, and return the ranking published last."""
    for round_ in made.rounds.order_by("number"):
        if round_.status == Round.Status.PLANNED:
            try:
                drawing.draw_round(round_, actor=director)
            except TournamentError as refused:
                if refused.code != "draw/decided":
                    raise
                fewer_rounds.finish_early(made, actor=director)
                break
        rounds.open_round(round_, actor=director)
        for table in Table.objects.filter(round=round_).select_related("game", "round__championship"):
            write(table)
        rounds.close_round(round_, actor=director)
    championships.finish(made, actor=director)
    return published(made)


def published(made: Championship) -> list[RankingRow]:
    return published_ranking.decode_rows(
        StandingsSnapshot.objects.filter(championship=made).latest("version")
    )


# --- the naive recount


def recount(made: Championship) -> dict[int, dict[int, Any]]:
    """Number → round → points, from the last totals in each log; byes get the average of the round."""
    found: dict[int, dict[int, Any]] = defaultdict(dict)
    for round_ in made.rounds.filter(status=Round.Status.CLOSED):
        everybody: list[int] = []
        for table in round_.tables.all():
            totals: list[int] = []
            for event in store.read(str(table.game_id)):
                totals = event.body.get("totals") or totals
            seats = list(table.seatings.order_by("seat").values_list("entry__number", flat=True))
            for seat, number in enumerate(seats):
                points = totals[seat if len(totals) == len(seats) else seat % 2]
                found[number][round_.number] = points
                everybody.append(points)
        for number in Bye.objects.filter(round=round_).values_list("entry__number", flat=True):
            found[number][round_.number] = Fraction(sum(everybody), len(everybody))
    return found


def sums(made: Championship, keep: int = 60, *, lowest: bool = False) -> dict[int, Any]:
    """Number → sum of the best `keep` rounds."""
    return {
        number: sum(sorted(by_round.values(), reverse=not lowest)[:keep])
        for number, by_round in recount(made).items()
    }


def assert_ranked(rows: Sequence[RankingRow], totals: Mapping[int, Any], *, lowest: bool = False) -> None:
    """Compare totals and places; level ones may be separated, but stand beside each other."""
    assert {number: row.total for row in rows for number in row.numbers} == totals
    by_place = [row.total for row in rows]
    assert by_place == sorted(by_place, reverse=not lowest)
    for row in rows:
        better = sum((other < row.total) if lowest else (other > row.total) for other in by_place)
        assert better < row.place <= better + by_place.count(row.total)


def places_of(rows: Iterable[RankingRow]) -> dict[int, int]:
    return {number: row.place for row in rows for number in row.numbers}


def names_of(made: Championship) -> dict[int, str]:
    return dict(made.entries.values_list("number", "name"))


# --- single evenings


@pytest.mark.parametrize("deals", [12, 8])
def test_1_partners_drawn_each_round_and_the_worst_of_four_dropped(director: User, deals: int) -> None:
    made = prepare(director, 1, people(14), deals=deals)
    rows = play(made, director)
    assert (made.rounds.count(), load_regulations(made).deals) == (4, deals)
    assert_ranked(rows, sums(made, 3))
    best = {number: max(by_round.values()) for number, by_round in recount(made).items()}
    for above, below in itertools.pairwise(rows):
        if above.total == below.total:
            assert best[above.key] >= best[below.key], "the highest round separates"


def test_2_all_rounds_are_drawn_before_the_first_card_and_the_best_three_count(director: User) -> None:
    made = prepare(director, 2, people(12), counting={"what": "best", "number": 3})
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=director)
    seats = list(Table.objects.filter(round__championship=made).values_list("pk", "seatings__entry"))
    assert len(seats) == 4 * 12
    partners = [
        frozenset(s.entry_id for s in table.seatings.all() if s.seat % 2 == side)
        for table in Table.objects.filter(round__championship=made)
        for side in (0, 1)
    ]
    assert len(partners) == len(set(partners)), "nobody has a partner twice"

    rows = play(made, director)

    assert seats == list(Table.objects.filter(round__championship=made).values_list("pk", "seatings__entry"))
    assert_ranked(rows, sums(made, 3))


def count_sweeps(made: Championship) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for table in Table.objects.filter(round__championship=made):
        for event in store.read(str(table.game_id)):
            for seating in table.seatings.all() if event.type == "result_entered" else ():
                found[seating.entry_id] += event.body["sweeps"][seating.seat % 2]
    return found


@pytest.mark.parametrize(("bonus", "played"), [(50, 5), (0, 3)])
def test_3_fixed_pairs_with_a_prize_for_the_most_sweeps(director: User, bonus: int, played: int) -> None:
    made = prepare(
        director,
        3,
        people(16),
        rounds=played,
        play={"options": {"partner_waits": False, "sweep_bonus": bonus}},
    )
    plan = PrizePlan(
        prizes=(Prize(kind="place", amount=10000), Prize(kind="sweeps", amount=5000)), once=False
    )
    prize_giving.set_plan(made, plan, actor=director)
    rows = play(made, director)

    assert_ranked(rows, sums(made))
    whole = sum(sum(one.values()) for one in recount(made).values())
    sweeps = count_sweeps(made)
    assert whole == 157 * 8 * played * 8 + bonus * sum(sweeps.values())
    most = max(sweeps.values())
    winners = {made.entries.get(pk=pk).entrant for pk, own in sweeps.items() if own == most}
    awards = [one for one in prize_giving.load_giving(made).awards if one.prize == 1]
    assert {one.key for one in awards} == {entrant.number for entrant in winners if entrant}
    assert sum(one.amount for one in awards) == pytest.approx(5000, abs=len(awards))


def test_4_single_entries_are_made_into_pairs_by_the_desk(director: User) -> None:
    made = championships.create(
        actor=director, name="Abend", preset=REGULATIONS[4].preset, changes={"rounds": 3}
    )
    alone = entries.add_entries(
        made, [entries.NewEntry(one, status=Entry.Status.ARRIVED) for one in people(8)], actor=director
    )
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(made.rounds.get(number=1), actor=director)
    assert refused.value.code == "draw/no_partner"
    for one, other in zip(alone[:4], reversed(alone[4:]), strict=True):
        pairs.pair(one, other, actor=director)
    rows = play(made, director)

    assert_ranked(rows, sums(made))
    assert sorted(row.numbers for row in rows) == [(1, 8), (2, 7), (3, 6), (4, 5)]


@pytest.mark.parametrize(
    ("number", "played", "deals"), [(5, 4, 12), (5, 6, 4), (6, 4, 4)], ids=["5-12", "5-4", "6"]
)
def test_5_and_6_everyone_plays_alone(director: User, number: int, played: int, deals: int) -> None:
    made = prepare(director, number, people(9), rounds=played, deals=deals)
    rows = play(made, director)
    assert_ranked(rows, sums(made, lowest=True), lowest=True)
    for round_ in made.rounds.all():
        assert round_.tables.count() == 2
        assert round_.byes.count() == 1


def test_11_two_rounds_nearest_to_a_sealed_number(director: User) -> None:
    made = prepare(director, 11, people(12))
    rows = play(made, director)
    number = ranking_basis.sealed_number(made, load_regulations(made))
    assert number is not None
    totals = sums(made)
    assert {row.key: row.off for row in rows} == {key: abs(own - number) for key, own in totals.items()}
    distances: list[Figure] = [abs(Fraction(totals[row.key]) - number) for row in rows]
    assert distances == sorted(distances)
    for row, own in zip(rows, distances, strict=True):
        assert sum(other < own for other in distances) < row.place


def test_12_a_ladder_over_eight_evenings_begins_where_the_last_one_ended(director: User) -> None:
    made = prepare(director, 12, people(16), rounds=1, name="Abend 1")
    for evening in range(1, 9):
        rows = play(made, director)
        assert {row.key: row.total for row in rows} == sums(made, lowest=True)
        seats = dict(made.rounds.get().tables.values_list("seatings__entry__number", "number"))
        last = [(seats[row.key], row.total) for row in rows]
        assert last == sorted(last), "the place in the last evening: the table, then the points there"
        tables = {
            table.number: set(table.seatings.values_list("entry__name", flat=True))
            for table in made.rounds.get().tables.all()
        }
        names, points = names_of(made), recount(made)
        order = {
            number: sorted(there, key=lambda name: points[_number_of(names, name)][1])
            for number, there in tables.items()
        }
        expected = {
            number: (there - {order[number][-1]} if number < 4 else there)
            - ({order[number][0]} if number > 1 else set())
            | ({order[number - 1][-1]} if number > 1 else set())
            | ({order[number + 1][0]} if number < 4 else set())
            for number, there in tables.items()
        }
        level = any(
            points[_number_of(names, a)][1] == points[_number_of(names, b)][1]
            for there in order.values()
            for a, b in (there[:2], there[-2:])
        )
        if evening == 8:
            return
        made = duplicate_championship(made, actor=director, name=f"Abend {evening + 1}", people=True)
        Entry.objects.filter(championship=made).update(status=Entry.Status.ARRIVED)
        ranks = dict(made.entries.values_list("start_rank", "name"))
        assert sorted(rank or 0 for rank in ranks) == list(range(1, 17))
        if not level:
            assert {
                number: {ranks[rank] for rank in range(4 * number - 3, 4 * number + 1)} for number in tables
            } == expected


def _number_of(names: Mapping[int, str], name: str) -> int:
    return next(number for number, one in names.items() if one == name)


def assert_bracket(made: Championship, rows: Sequence[RankingRow], *, games: int = 1) -> None:
    """Walk through the matches: who has lost one is behind everybody who goes on; the final gives place 1."""
    names = {row.key: row for row in rows}
    pair_of = {number: row.key for row in rows for number in row.numbers}
    met: dict[frozenset[int], dict[int, int]] = {}
    points = recount(made)
    for round_ in made.rounds.filter(status=Round.Status.CLOSED).order_by("number"):
        for table in round_.tables.all():
            first = list(table.seatings.order_by("seat").values_list("entry__number", flat=True))
            one, other = pair_of[first[0]], pair_of[first[1]]
            won = met.setdefault(frozenset({one, other}), {one: 0, other: 0})
            mine, theirs = points[first[0]][round_.number], points[first[1]][round_.number]
            assert mine != theirs, "the results of this test are never level"
            won[one if mine > theirs else other] += 1
    for match, won in met.items():
        better, worse = sorted(match, key=lambda key: -won[key])
        assert won[better] == games // 2 + 1
        assert won[worse] <= games // 2
        assert names[better].place < names[worse].place
    by_places = {frozenset(names[key].place for key in match) for match in met}
    assert {frozenset({1, 2}), frozenset({3, 4})} <= by_places, "a final, and a match for place 3"


def test_15_a_cup_of_matches_of_three_games(director: User) -> None:
    made = prepare(director, 15, people(16))
    rows = play(made, director)
    assert_bracket(made, rows, games=3)
    assert [row.place for row in rows][:5] == [1, 2, 3, 4, 5]


def test_14_the_best_six_of_each_section_of_eight_count(director: User) -> None:
    everybody = people(40)
    team_of = {name: f"Sektion {at % 5}" for at, name in enumerate(everybody)}
    made = prepare(director, 14, everybody, in_teams=team_of)
    rows = play(made, director)

    assert (made.rounds.count(), load_regulations(made).deals) == (4, 8)
    assert_ranked(rows, sums(made))
    names, members = names_of(made), defaultdict(list)
    for number, total in sums(made).items():
        members[team_of[names[number]]].append(total)
    expected = {team: sum(sorted(totals, reverse=True)[:6]) for team, totals in members.items()}
    found = published_ranking.decode_teams(
        StandingsSnapshot.objects.filter(championship=made).latest("version")
    )
    assert found is not None
    named = dict(made.teams.values_list("number", "name"))
    assert {named[row.key]: row.total for row in found} == expected
    assert [row.total for row in found] == sorted(expected.values(), reverse=True)
    for table in Table.objects.filter(round__championship=made):
        there = list(table.seatings.values_list("entry__team", flat=True))
        assert len(set(there)) == len(there) == 4, "members of a section neither partner nor meet"


@pytest.mark.long(1)
@pytest.mark.parametrize(("count", "played"), [(13, 13), (16, 15), (17, 17), (20, 19)])
def test_16_everybody_partners_everybody(director: User, count: int, played: int) -> None:
    made = prepare(director, 16, people(count), rounds=played)
    rows = play(made, director)
    assert_ranked(rows, sums(made))
    partners: dict[frozenset[int], int] = defaultdict(int)
    opponents: dict[frozenset[int], int] = defaultdict(int)
    for table in Table.objects.filter(round__championship=made):
        a, b, c, d = table.seatings.order_by("seat").values_list("entry", flat=True)
        for pair in ((a, c), (b, d)):
            partners[frozenset(pair)] += 1
        for pair in itertools.product((a, c), (b, d)):
            opponents[frozenset(pair)] += 1
    everybody = count * (count - 1) // 2
    assert (len(partners), set(partners.values())) == (everybody, {1})
    assert (len(opponents), set(opponents.values())) == (everybody, {2})
    assert Bye.objects.filter(round__championship=made).count() == (count if count % 4 else 0)


def list_matches(made: Championship) -> list[dict[int, tuple[Figure, Figure]]]:
    """Return the tables in order: number of a pair → points, and those of the opponents."""
    found, points = [], recount(made)
    pair_of = dict(made.entries.values_list("number", "entrant__number"))
    for table in Table.objects.filter(round__championship=made).order_by("round__number", "number"):
        one, other, *_ = table.seatings.order_by("seat").values_list("entry__number", flat=True)
        mine, theirs = (points[number][table.round.number] for number in (one, other))
        found.append({pair_of[one]: (mine, theirs), pair_of[other]: (theirs, mine)})
    return found


@pytest.mark.parametrize("what", ["victory_points", "sum"])
def test_17_swiss_for_pairs_by_a_scale_or_by_points_then_buchholz(director: User, what: str) -> None:
    changes: dict[str, Any] = (
        {} if what == "victory_points" else {"counting": {"what": what, "tie_breaks": ["buchholz", "lot"]}}
    )
    made = prepare(director, 17, people(40), **changes)
    held = load_regulations(made)
    assert (held.rounds, held.deals, held.counting.what) == (7, 8, what)
    assert held.counting.tie_breaks[0] == "buchholz"
    rows = play(made, director)

    matches = list_matches(made)
    assert len({frozenset(match) for match in matches}) == 70, "nobody meets twice"
    totals: dict[int, Figure] = defaultdict(int)
    opponents: dict[int, list[int]] = defaultdict(list)
    for match in matches:
        for key, (mine, theirs) in match.items():
            opponents[key] += match.keys() - {key}
            totals[key] += mine if what == "sum" else by_scale(mine - theirs)
    assert {row.key: row.total for row in rows} == totals
    buchholz = {key: sum(totals[other] for other in met) for key, met in opponents.items()}
    order = [(row.total, buchholz[row.key]) for row in rows]
    assert order == sorted(order, reverse=True)
    for row, own in zip(rows, order, strict=True):
        assert sum(other > own for other in order) < row.place


SCALE = (
    "0 10-10, 10 11-9, 30 12-8, 50 13-7, 80 14-6, 110 15-5, 140 16-4, 170 17-3, 200 18-2, 240 19-1, 280 20-0"
)


def by_scale(lead: Figure) -> int:
    """Return victory points by the scale that the docs print: from this lead on, so many."""
    for line in reversed(SCALE.split(", ")):
        least, won, lost = re.split("[ -]", line)
        if abs(Fraction(lead)) >= int(least):
            return int(won if lead > 0 else lost)
    raise AssertionError(lead)


def test_18_the_same_cards_for_twelve_pairs_against_the_field(director: User) -> None:
    made = prepare(director, 18, people(24))
    held = load_regulations(made)
    assert (held.rounds * held.deals, held.play.credit, held.same_cards) == (24, "field", True)
    rows = play(made, director)

    assert {number: row.total for row in rows for number in row.numbers} == recount_field(made)
    totals = [row.total for row in rows]
    assert totals == sorted(totals, reverse=True)
    assert sum(Fraction(total) for total in totals) == 0, "what one side wins, the field loses"
    assert len({frozenset(match) for match in list_matches(made)}) == 36


# --- series


def start(director: User, number: int, **numbers: Any) -> ClubSeries:
    series = editing.create_series(
        rolls.default_club(director), name="Serie", preset=REGULATIONS[number].preset, actor=director
    )
    if numbers:
        editing.set_numbers(series, **{"best": None, "least": None, "steps": []} | numbers, actor=director)
    return series


def hold(director: User, series: ClubSeries, made: Championship) -> dict[str, RankingRow]:
    """Play an event and add it; return the rows by name."""
    rows = play(made, director)
    names = names_of(made)
    final = series.events.filter(key="final", championship=None).first()
    if made.name == "Final" and final is not None:
        editing.edit_event(final, actor=director, championship=made)
    elif not series.events.filter(championship=made).exists():
        editing.add_event(series, actor=director, championship=made)
    return {names[number]: row for row in rows for number in row.numbers}


def season_of(series: ClubSeries) -> dict[str, tuple[int | None, Fraction]]:
    loaded = load_series(series)
    rows = [*loaded.table.rows, *loaded.table.unranked]
    return {loaded.persons[row.ref].names.running: (row.place, Fraction(row.total)) for row in rows}


POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


def points_by_place(rows: Mapping[str, RankingRow], rest: int) -> dict[str, Fraction]:
    """The points of each place; who share one get the mean of the places that they occupy."""
    table = [Fraction(n) for n in POINTS] + [Fraction(rest)] * len(rows)
    places = [row.place for row in rows.values()]
    return {
        name: sum(table[row.place - 1 : row.place - 1 + places.count(row.place)], Fraction(0))
        / places.count(row.place)
        for name, row in rows.items()
    }


def assert_season(found: Mapping[str, tuple[int | None, Fraction]], totals: Mapping[str, Fraction]) -> None:
    assert {name: total for name, (_place, total) in found.items()} == totals
    for name, (place, total) in found.items():
        better = sum(other > total for other in totals.values())
        level = sum(other == total for other in totals.values())
        assert place is not None
        assert better < place <= better + level, name


def play_heat(director: User, series: ClubSeries, **regulated: Any) -> dict[str, list[Figure]]:
    """Hold an open heat in four inns, with starts until nobody buys one; return the points of each start."""
    made = prepare(director, 7, people(24), name="Ausscheidung", **regulated)
    made.entries.update(status=Entry.Status.REGISTERED)
    for round_ in made.rounds.order_by("number"):
        for table in open_session(round_, director):
            write(table)
        rounds.close_round(round_, actor=director)
    championships.finish(made, actor=director)
    editing.add_event(series, actor=director, championship=made)
    points = recount(made)
    found: dict[str, list[Figure]] = defaultdict(list)
    for number, name, first in made.entries.values_list("number", "name", "start_of__name"):
        if number in points:
            found[first or name] += points[number].values()
    best = load_regulations(made).counting.number
    names = names_of(made)
    totals = {names[row.key]: row.total for row in published(made)}
    assert totals == {name: sum(sorted(own, reverse=True)[:best]) for name, own in found.items()}
    return found


def test_7_an_open_heat_in_four_inns_leads_to_the_final_by_a_threshold(director: User) -> None:
    series = start(director, 7)
    starts = play_heat(director, series, preset="open_heat")

    assert len(max(starts.values(), key=len)) == 4, "any number of starts"
    loaded = load_series(series)
    assert loaded.qualification is not None
    named = {loaded.persons[one.ref].names.running for one in loaded.qualification.qualified}
    assert named == {name for name, own in starts.items() if max(own) >= 1150}
    assert 0 < len(named) < len(starts)


def test_7_the_best_nineteen_and_the_title_holder_by_the_best_two_of_five(director: User) -> None:
    series = editing.create_series(
        rolls.default_club(director), name="Serie", preset="best_starts", actor=director
    )
    starts = play_heat(director, series, preset="open_heat_best_two", deals=12)
    order = sorted(starts, key=lambda name: -sum(sorted(starts[name])[-2:]))
    holder = Person.objects.get(name=order[-1])
    tickets.name_holder(series, holder, actor=director)

    loaded = load_series(series)
    assert loaded.qualification is not None
    named = [loaded.persons[one.ref].names.running for one in loaded.qualification.qualified]
    assert (named[0], loaded.qualification.qualified[0].why) == (holder.name, "holder")
    assert set(named) == {*order[:19], holder.name}
    assert len(named) == 20


@pytest.mark.long
def test_8_thirteen_heats_and_a_final_of_the_best_fifth(director: User) -> None:
    series = start(director, 8)
    known = people(60)
    chance = random.Random(8)
    wanted: list[str] = []
    for number in range(1, 14):
        preset = "klubabend" if number % 2 else "partnerschieber"
        made = prepare(director, 8, chance.sample(known, 8), preset=preset, name=f"Heat {number}", rounds=4)
        rows = hold(director, series, made)
        lines = sorted({(row.place, row.key): row for row in rows.values()}.items())
        count = -(-len(lines) // 5)
        left = [row for _key, row in lines if not all(n in wanted for n, r in rows.items() if r is row)]
        last = left[count - 1]
        for row in left:  # all who are level with the last one are in
            if row.place <= last.place or row.total == last.total:
                wanted += [name for name, own in rows.items() if own is row and name not in wanted]

    loaded = load_series(series)
    assert loaded.qualification is not None
    qualified = [loaded.persons[one.ref].names.running for one in loaded.qualification.qualified]
    assert sorted(qualified) == sorted(wanted)
    final = make_final(series, actor=director, name="Final", preset="einzelschieber")
    assert sorted(final.entries.values_list("name", flat=True)) == sorted(wanted), "one ticket a person"
    Entry.objects.filter(championship=final).update(status=Entry.Status.ARRIVED)
    final_rows = play(final, director)
    assert_ranked(final_rows, sums(final, 3))


@pytest.mark.long
def test_9_a_season_of_four_evenings_and_a_double_counting_final(director: User) -> None:
    series = start(director, 9)
    known = people(14)
    chance = random.Random(9)
    won: dict[str, list[Fraction]] = defaultdict(list)
    doubled: dict[str, Fraction] = defaultdict(Fraction)
    for number in range(1, 6):
        name = "Final" if number == 5 else f"Abend {number}"
        made = prepare(
            director, 9, chance.sample(known, 12), preset="klubabend", name=name, rounds=6, deals=8
        )
        for who, points in points_by_place(hold(director, series, made), 1).items():
            if name == "Final":
                doubled[who] = 2 * points
            else:
                won[who].append(points)
    assert_season(
        season_of(series),
        {who: sum(sorted(won[who], reverse=True)[:3], doubled[who]) for who in {*won, *doubled}},
    )


def test_10_a_club_year_of_nine_evenings(director: User) -> None:
    series = start(director, 10, best=7)
    known = people(10)
    chance = random.Random(10)
    totals: dict[str, list[Fraction]] = defaultdict(list)
    for number in range(1, 10):
        there = [one for one in known if chance.random() < 0.85 or number == 1]
        made = prepare(
            director, 10, there[: len(there) // 4 * 4 or 4], preset="klubabend", name=f"A{number}", rounds=1
        )
        for who, row in hold(director, series, made).items():
            totals[who].append(Fraction(row.total))
    expected = {}
    for who, own in totals.items():
        missed = 9 - len(own)
        given = [sum(own, Fraction(0)) / len(own)] * missed if missed < 3 else []
        expected[who] = sum(sorted([*own, *given], reverse=True)[:7], Fraction(0))
    assert_season(season_of(series), expected)


def test_10_a_club_year_by_average(director: User) -> None:
    series = editing.create_series(
        rolls.default_club(director), name="Serie", preset="club_average", actor=director
    )
    editing.set_numbers(series, best=None, least=2, steps=[], actor=director)
    totals: dict[str, list[Any]] = defaultdict(list)
    for number, there in enumerate((people(8), people(8, 2), people(4, 6)), 1):
        made = prepare(director, 10, there, preset="klubabend", name=f"A{number}", rounds=2)
        for who, row in hold(director, series, made).items():
            totals[who].append(row.total)
    found = season_of(series)
    ranked = {who: Fraction(sum(own), len(own)) for who, own in totals.items() if len(own) >= 2}
    assert_season({who: one for who, one in found.items() if who in ranked}, ranked)
    assert {who for who, (place, _total) in found.items() if place is None} == {*totals} - {*ranked}


@pytest.mark.long
def test_13_files_of_nineteen_sections_lead_to_a_final_of_120(
    director: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = start(director, 13)
    changes = {"play": {**regulations.encode(PRESETS["differenzler"])["play"], "mode": "sheet"}}
    monkeypatch.setattr("tests.tournaments.files_from_elsewhere.play_round", write)
    results: list[tuple[int, int, str]] = []
    first: list[str] = []
    for number in range(19):
        [file] = play_elsewhere(
            tmp_path,
            people(8, 8 * number),
            preset="differenzler",
            name=f"Sektion {number + 1}",
            changes={**changes, "rounds": 1, "deals": 4},
        )
        made = outside_files.receive_file(series, file, actor=director, source=f"Sektion {number + 1}")
        outside_files.verify(made.pk)
        made.refresh_from_db()
        assert (made.state, made.message_params, made.direction) == ("done", {}, -1)
        take_event(made, actor=director)
        by_place = sorted((one.place, one.total, one.name) for one in made.people.all())
        results += [(total, place, name) for place, total, name in by_place]
        first += [name for _place, _total, name in by_place[:6]]

    final = make_final(series, actor=director, name="Final", preset="differenzler")

    there = set(final.entries.values_list("name", flat=True))
    assert len(there) == 120
    assert len(there - set(first)) <= 120 - 19 * 6 + 19, "places that are shared at a line go by lot"
    left = sorted(total for total, _place, name in results if name not in there)
    rest = [total for total, _place, name in results if name in there and name not in first]
    assert not rest or max(rest) <= left[0] or len({*first} - there) > 0
    Entry.objects.filter(championship=final).update(status=Entry.Status.ARRIVED)
    encoded = regulations.encode(load_regulations(final)) | changes
    regulations_change.change_regulations(final, encoded, actor=director)
    rows = play(final, director)
    assert_ranked(rows, sums(final, lowest=True), lowest=True)
    assert (OutsideEvent.objects.filter(counts=True).count(), Person.objects.count()) == (19, 152)


def test_19_two_games_in_one_day_and_teams_from_their_members(director: User) -> None:
    series = start(director, 19)
    everybody = people(16)
    team_of = {name: f"Tisch {at // 4}" for at, name in enumerate(everybody)}
    expected: dict[str, Fraction] = defaultdict(Fraction)
    for preset, more in (("klubabend", {"rounds": 2}), ("differenzler", {"rounds": 1, "deals": 4})):
        rules = {"teams": {"size": 4, "best": 4}, "in_teams": team_of}
        made = prepare(director, 19, everybody, preset=preset, name=preset, **more, **rules)
        for who, points in points_by_place(hold(director, series, made), 0).items():
            expected[team_of[who]] += points
    loaded = load_series(series)
    assert loaded.team_table is not None
    rows = [*loaded.team_table.rows, *loaded.team_table.unranked]
    teams = {loaded.team_names[row.ref]: (row.place, Fraction(row.total)) for row in rows}
    assert_season(teams, expected)


def test_20_the_best_eight_pairs_of_a_preliminary_play_quarter_finals(director: User) -> None:
    series = start(director, 20)
    made = prepare(director, 20, people(24), preset="partnerschieber", name="Vorrunde", rounds=4, deals=8)
    rows = hold(director, series, made)
    points = sums(made)
    names = names_of(made)
    assert {name: row.total for name, row in rows.items()} == {
        names[number]: own for number, own in points.items()
    }
    best = sorted({row.key: row for row in rows.values()}.values(), key=lambda row: row.place)[:8]

    final = make_final(series, actor=director, name="Viertelfinal", preset="cup")

    seeds = {
        entrant.number: {entry.start_rank or 0 for entry in entrant.members.all()}
        for entrant in final.entrants.all()
    }
    assert sorted(rank for ranks in seeds.values() for rank in ranks) == list(range(1, 9))
    assert {
        frozenset(entrant.members.values_list("name", flat=True)) for entrant in final.entrants.all()
    } == {frozenset(names[number] for number in row.numbers) for row in best}
    Entry.objects.filter(championship=final).update(status=Entry.Status.ARRIVED)
    final_rows = play(final, director)
    assert_bracket(final, final_rows)
    assert [row.place for row in final_rows][:5] == [1, 2, 3, 4, 5]
    assert not Game.objects.exclude(status=Game.Status.ENDED).exists()
    first = final.rounds.get(number=1).tables.annotate(rank=F("seatings__entry__start_rank"))
    met: dict[int, set[int]] = defaultdict(set)
    for number, rank in first.values_list("number", "rank"):
        met[number].add(rank)
    assert {frozenset(ranks) for ranks in met.values()} == {
        frozenset(pair) for pair in ((1, 8), (4, 5), (2, 7), (3, 6))
    }
