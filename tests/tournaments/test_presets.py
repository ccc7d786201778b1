"""A small championship by each preset, from the entries to the ranking, dealt and on sheets."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Q

from engine import State
from engine.registry import build_game_context, get_rules
from engine.sheets.sheet_checks import list_fields
from games import game_state, store
from games.models import DealResult, Game, User
from games.play.submit import submit
from games.randomness.dealing import Source
from tests.tournaments import field_evenings, open_evenings, table_play
from tests.tournaments.conftest import NAMES
from tournaments import demo_record, regulations
from tournaments.errors import TournamentError
from tournaments.models import Bye, Championship, Entry, Round, StandingsSnapshot, Table
from tournaments.pairing.systems import DRAWN
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import fewer_rounds, rounds
from tournaments.services.scores import published_ranking, ranking_basis
from tournaments.services.scores.bracket import has_bracket
from tournaments.standings import RankingRow

pytestmark = pytest.mark.slow
LONGEST = 60
"""Deals after which a sheet that is written for a test has certainly come to an end."""


@pytest.fixture
def found(fredi: User) -> Callable[..., Championship]:
    """A championship by a preset with so many people who are there; pairs where partners are fixed."""

    def make(preset: str, people: int, **changes: Any) -> Championship:
        play = {**regulations.encode(PRESETS[preset])["play"], **changes.pop("play", {})}
        made = championships.create(
            actor=fredi, name=preset, preset=preset, changes={"play": play, **changes}
        )
        wanted = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:people]]
        there = entries.add_entries(made, wanted, actor=fredi)
        if play["format"] == "fixed_pairs":
            pairs.pair_up(made, zip(there[0::2], there[1::2], strict=True), actor=fredi)
        return made

    return make


def hold(championship: Championship, fredi: User, play: Callable[[Table], None]) -> list[RankingRow]:
    """Draw, open, play and close each round until all is decided. Return the last published ranking."""
    has_queue = load_regulations(championship).has_queue
    for round_ in championship.rounds.order_by("number"):
        try:
            if has_queue:
                open_evenings.open_session(round_, fredi)
            else:
                drawing.draw_round(round_, actor=fredi)
        except TournamentError as refused:
            if refused.code != "draw/decided":
                raise
            fewer_rounds.finish_early(championship, actor=fredi)
            break
        if not has_queue:
            rounds.open_round(round_, actor=fredi)
        for table in Table.objects.filter(round=round_).select_related("game").order_by("number"):
            play(table)
        rounds.close_round(round_, actor=fredi)
    championships.finish(championship, actor=fredi)
    return published_ranking.decode_rows(
        StandingsSnapshot.objects.filter(championship=championship).latest("version")
    )


def play_out(table: Table) -> None:
    demo_record.play_out_with_bots(str(table.game_id))


def write_out(table: Table) -> None:
    """A sheet deal by deal, a different one at each table, with what the sheet of the game asks for."""
    refs, game = table_play.refs(table), str(table.game_id)
    if game_state.load_snapshot(game).state.hand_in == "totals":
        write_totals(table, refs[0])
        return
    for deal in range(1, LONGEST):
        chance = random.Random(f"{table.number}/{deal}")
        written = some_deal(game_state.load_snapshot(game).state, deal, chance)
        submit(game, written, actor=refs[0], command_id=f"enter:{deal}")
        state = game_state.load_snapshot(game).state
        sides = get_rules(state).sides_of(state)
        signer = next(seat for seat in range(len(refs)) if sides[seat] != sides[0])
        confirm = {"cmd": "confirm_result", "seat": signer, "deal": deal}
        submit(game, confirm, actor=refs[signer], command_id=f"confirm:{deal}")
        if game_state.load_snapshot(game).state.over:
            return
    pytest.fail("this sheet does not come to an end")


def write_totals(table: Table, ref: str) -> None:
    """The one line of a table that hands in totals, signed on paper."""
    game = str(table.game_id)
    rules = get_rules(game_state.load_snapshot(game).state)
    whole = 157 * rules.options_as_json()["deals"]
    ours = random.Random(table.number).randrange(1, whole)
    line: dict[str, Any] = {"cmd": "enter_result", "deal": 1, "scores": [ours, whole - ours]}
    if rules.play.sweep_bonus:
        line["sweeps"] = [0, 0]
    submit(game, line, actor=ref, command_id="totals")
    submit(game, {"cmd": "confirm_result", "deal": 1, "by": "paper"}, actor=ref, command_id="signed")
    assert game_state.load_snapshot(game).state.over


def some_deal(state: State, deal: int, chance: random.Random) -> dict[str, Any]:
    """A result that can be true: every field that is needed, and points that sum up."""
    fields = {
        f.name: f
        for f in list_fields(
            build_game_context(state), get_rules(state).sheet(build_game_context(state), deal)
        )
    }
    total = fields["card_points"].sum_most or 0
    cuts = sorted(chance.randrange(total + 1) for _ in range(get_rules(state).sides - 1))
    points = [end - begin for begin, end in itertools.pairwise((0, *cuts, total))]
    while any(own in (1, total - 1) for own in points):  # no cards count so much
        points[points.index(max(points))] -= 1
        points[points.index(min(points))] += 1
    command: dict[str, Any] = {"cmd": "enter_result", "seat": 0, "deal": deal, "card_points": points}
    if "took_trick" in fields and "sweep" in fields:
        command["took_trick"] = [side for side, own in enumerate(points) if not own]
    open_to = fields["slot"].open_to if "slot" in fields else ()
    for name, field in fields.items():
        if not field.required or name == "card_points":
            continue
        if name == "chooser":
            able = [seat for seat in range(state.seats) if not open_to or open_to[seat]]
            command[name] = chance.choice(able)
        elif name == "slot":
            command[name] = open_to[command["chooser"]][0]
        elif field.per == "seat":
            command[name] = [40] * state.seats
        else:
            command[name] = chance.choice(field.choices) if field.choices else field.least
    return command


def naive(
    championship: Championship, held: regulations.Regulations, counted: int | None = None
) -> dict[int, Any]:
    """Totals by entry, added up from the log of each game, and from the byes; or what the last round gave.

    In an open heat by person: the best `counted` starts; None: all of them.
    """
    if held.has_queue:
        return best_starts(championship, counted)
    totals: dict[int, Any] = {}
    if held.play.credit == "field":
        return dict(field_evenings.recount(championship))
    last = championship.rounds.order_by("number").last()
    only = Q(round=last) if held.counting.what == "last_round" else Q()
    for table in Table.objects.filter(only, round__championship=championship).select_related("game"):
        state = game_state.load_snapshot(str(table.game_id)).state
        sides = get_rules(state).sides_of(state)
        won = set(state.winners)
        for seating in table.seatings.select_related("entry"):
            side = sides[seating.seat]
            beaten = [other for other in sides if other not in won] if side in won else []
            points = state.totals[side] if held.play.credit == "points" else len(beaten)
            if held.counting.what == "victory_points":
                points = victory_points(state.totals[side] - state.totals[1 - side])
            totals[seating.entry.number] = totals.get(seating.entry.number, 0) + points
    for bye in Bye.objects.filter(only, round__championship=championship).select_related("entry"):
        totals[bye.entry.number] = totals.get(bye.entry.number, 0) + (bye.points or 0)
    return totals


def victory_points(lead: int) -> int:
    """Count the steps of the usual scale of 20 up to this lead."""
    better = 10 + sum(abs(lead) >= step for step in (10, 30, 50, 80, 110, 140, 170, 200, 240, 280))
    return better if lead >= 0 else 20 - better


def best_starts(championship: Championship, counted: int | None) -> dict[int, int]:
    """The sum of the best starts of each person, by the number of their first entry."""
    points: dict[int, list[int]] = {}
    for table in Table.objects.filter(round__championship=championship).select_related("game"):
        state = game_state.load_snapshot(str(table.game_id)).state
        sides = get_rules(state).sides_of(state)
        for seating in table.seatings.select_related("entry__start_of"):
            person = seating.entry.start_of or seating.entry
            points.setdefault(person.number, []).append(state.totals[sides[seating.seat]])
    return {number: sum(sorted(own, reverse=True)[:counted]) for number, own in points.items()}


PEOPLE = {2: 4, 3: 6, 4: 8}
WITHOUT_TEAMS = [key for key, held in PRESETS.items() if not held.plays_in_teams]
"""Teams that are drawn play in test_team_encounters.py."""
SHORT = {"rounds": 2}
"""Two rounds say as much as five; a long game is played once."""


@pytest.mark.long(1)
@pytest.mark.django_db
@pytest.mark.parametrize("preset", WITHOUT_TEAMS)
def test_bots_play_a_whole_championship_of_each_preset(
    preset: str, fredi: User, found: Callable[..., Championship]
) -> None:
    held = PRESETS[preset]
    short = {"rounds": 1} if held.deals == 0 and held.play.seats == 4 else SHORT
    counting = regulations.encode(held)["counting"]
    if counting["what"] in ("drop_worst", "best") and not held.has_queue:
        counting |= {"what": "sum", "number": 0}
    deals = min(held.deals, 4 if held.play.format == "solo" else 2)
    made = found(
        preset, PEOPLE[held.play.seats], play={"mode": "dealt"}, counting=counting, deals=deals, **short
    )
    rows = hold(made, fredi, play_out)
    made_regulations = load_regulations(made)
    by_person = {number: row.total for row in rows for number in row.numbers}
    assert by_person == naive(made, made_regulations, made_regulations.counting.number)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert not Game.objects.exclude(status=Game.Status.ENDED).exists()
    totals = [row.total for row in rows]
    if counting["what"] not in ("nearest", "last_round") and not has_bracket(held):
        assert totals == sorted(totals, reverse=made_regulations.directions().total > 0)
    seated = [s.entry_id for t in Table.objects.filter(round__championship=made) for s in t.seatings.all()]
    assert len(seated) == PEOPLE[held.play.seats] * short["rounds"]
    assert set(Game.objects.values_list("seat_count", flat=True)) == {held.play.seats}


@pytest.mark.long(3)
@pytest.mark.django_db
@pytest.mark.parametrize("preset", WITHOUT_TEAMS)
def test_a_championship_of_each_preset_can_be_kept_on_sheets(
    preset: str, fredi: User, found: Callable[..., Championship]
) -> None:
    held = PRESETS[preset]
    made = found(preset, PEOPLE[held.play.seats] + held.play.seats, play={"mode": "sheet"})
    rows = hold(made, fredi, write_out)
    if held.counting.what in ("sum", "victory_points", "last_round"):
        assert {number: row.total for row in rows for number in row.numbers} == naive(made, held)
    else:
        sums = {number: sum(r.points or 0 for r in row.rounds) for row in rows for number in row.numbers}
        assert sums == naive(made, held)
    if held.pairing_system == DRAWN:
        assert all(len(row.rounds) == held.rounds for row in rows)
    results = DealResult.objects.filter(game__tournament_table__round__championship=made)
    assert not results.filter(confirmed=False).exists()
    if held.deals:
        tables = Table.objects.filter(round__championship=made).count()
        assert results.count() == tables * (1 if held.hand_in == "totals" else held.deals)


@pytest.mark.django_db
@pytest.mark.parametrize("preset", [key for key, held in PRESETS.items() if held.play.seats < 4])
def test_nobody_meets_anybody_twice_before_all_have_met(
    preset: str, fredi: User, found: Callable[..., Championship]
) -> None:
    seats = PRESETS[preset].play.seats
    made = found(preset, {2: 8, 3: 9}[seats], rounds=4)
    met = []
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=fredi)
        for table in round_.tables.all():
            there = table.seatings.values_list("entry__number", flat=True)
            met += [frozenset(pair) for pair in itertools.combinations(there, 2)]
        rounds.open_round(round_, actor=fredi)
        rounds.close_round(round_, actor=fredi, force=True)
    assert len(met) == len(set(met))


@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "points"), [("la_pomme", 1), ("lake_constance", 1)])
def test_one_too_many_sits_out_for_a_win_in_a_game_of_two(
    preset: str, points: int, fredi: User, found: Callable[..., Championship]
) -> None:
    made = found(preset, 5, play={"mode": "sheet"}, rounds=1)
    rows = hold(made, fredi, write_out)
    [out] = [row for row in rows if not row.rounds[0].played]
    assert out.total == points
    assert sum(row.total for row in rows) == 3 * points


@pytest.mark.django_db
def test_a_declarer_beats_two_and_each_opponent_one(fredi: User, found: Callable[..., Championship]) -> None:
    made = found("bieter", 9, rounds=1)
    rows = {row.key: row for row in hold(made, fredi, play_out)}
    games = list(Game.objects.all())
    assert len(games) == 3
    for game in games:
        declarer = game.sides.index(0)
        numbers = list(
            game.tournament_table.seatings.order_by("seat").values_list("entry__number", flat=True)
        )
        won = [rows[number].total for number in numbers]
        others = [won[seat] for seat in range(3) if seat != declarer]
        assert (won[declarer], others) in [(2, [0, 0]), (0, [1, 1])]
        assert game.winners == [0 if won[declarer] else 1]


@pytest.mark.django_db
def test_fixed_pairs_sit_together_all_evening(fredi: User, found: Callable[..., Championship]) -> None:
    made = found("partnerschieber", 10, rounds=2, play={"mode": "sheet"})
    rows = {row.key: row for row in hold(made, fredi, write_out)}
    assert {key: row.members for key, row in rows.items()} == {n: (n, n + 1) for n in range(1, 10, 2)}
    for round_ in made.rounds.all():
        assert round_.byes.count() == 2
        for table in round_.tables.all():
            a, b, c, d = table.seatings.order_by("seat").values_list("entry__number", flat=True)
            assert {(a - 1) // 2, (b - 1) // 2} == {(c - 1) // 2, (d - 1) // 2}
            assert (a - 1) // 2 == (c - 1) // 2


@pytest.mark.django_db
def test_who_has_no_partner_there_is_named_before_the_draw(
    fredi: User, found: Callable[..., Championship]
) -> None:
    made = found("partnerschieber", 8)
    entries.withdraw_entry(made.entries.get(number=3), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    assert (refused.value.code, refused.value.params["name"]) == ("draw/no_partner", NAMES[3])
    made.refresh_from_db()
    assert made.rounds.get(number=1).status == Round.Status.PLANNED


@pytest.mark.django_db
def test_the_sealed_number_is_nobodys_before_the_last_round_is_closed(
    fredi: User, found: Callable[..., Championship]
) -> None:
    made = found("preisjassen", 8, play={"mode": "sheet"})
    held = load_regulations(made)
    for round_ in made.rounds.order_by("number"):
        assert ranking_basis.sealed_number(made, held) is None
        drawing.draw_round(round_, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in Table.objects.filter(round=round_).select_related("game"):
            write_out(table)
        live = ranking_basis.live_ranking(made)
        assert all(row.off is None for row in live)
        assert [row.total for row in live] == sorted((row.total for row in live), reverse=True)
        rounds.close_round(round_, actor=fredi)
    number = ranking_basis.sealed_number(made, held)
    assert number is not None
    assert 1100 <= number <= 1450
    rows = published_ranking.decode_rows(StandingsSnapshot.objects.latest("version"))
    assert [row.off for row in rows] == sorted(abs(int(row.total) - number) for row in rows)


@pytest.mark.django_db
def test_anybody_can_draw_the_sealed_number_again_from_the_revealed_seed(
    fredi: User, found: Callable[..., Championship]
) -> None:
    made = found("preisjassen", 4, play={"mode": "sheet"}, rounds=1, deals=1)
    hold(made, fredi, write_out)
    stream = made.rounds.get().stream_id
    [revealed] = [event for event in store.read(stream) if event.type == "seed_revealed"]
    numbers = Source(bytes.fromhex(revealed.body["seed"])).numbers("sealed", 1)
    span = 1450 - 1100 + 1
    drawn = (256 * numbers.below(256) + numbers.below(256) for _ in itertools.count())
    first = next(number for number in drawn if number < 65_536 - 65_536 % span)
    assert ranking_basis.sealed_number(made, load_regulations(made)) == 1100 + first % span


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "play", "more", "code"),
    [
        ("coiffeur", {}, {"deals": 8}, "regulations/no_deals"),
        ("coiffeur", {"seats": 3}, {}, "regulations/format"),
        ("plus_minus", {"format": "pairs"}, {}, "regulations/format"),
        ("santiago", {"format": "solo"}, {}, "regulations/format"),
        ("bieter", {"seats": 4}, {}, "regulations/game"),
        ("differenzler", {}, {"deals": 6}, "regulations/game"),
        ("santiago", {"credit": "stakes"}, {}, "regulations/unknown_value"),
        ("santiago", {"variant": "poker"}, {}, "regulations/game"),
        ("santiago", {}, {"deals": 0}, "regulations/game"),
        ("preisjassen", {}, {"counting": {"what": "nearest"}}, "regulations/counting"),
    ],
)
def test_regulations_that_fit_no_game_are_refused(
    preset: str, play: dict[str, Any], more: dict[str, Any], code: str, found: Callable[..., Championship]
) -> None:
    with pytest.raises(TournamentError) as refused:
        found(preset, 4, play=play, **more)
    assert refused.value.code == code
    assert not Championship.objects.exists()
