"""Rounds of a championship drawn by a pairing system of its regulations."""

from collections import Counter
from typing import Any

import pytest

from engine import Refused
from games import store
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tournaments import demo_record, regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round, Seating, Table
from tournaments.presets import PRESETS
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing, seating_by_hand, seed_audit
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import fewer_rounds, rounds
from tournaments.services.scores import published_ranking, ranking_basis

pytestmark = pytest.mark.django_db
SHORT = ("partnerschieber", "klubabend")
"""Presets of games that can be of one deal."""


def found(fredi: User, preset: str, system: str, people: int, held: int, options: Any) -> Championship:
    """Make a championship with people who are here, drawn by this system; rounds are as short as can be."""
    made = championships.create(
        actor=fredi,
        name=preset,
        preset=preset,
        changes={
            "rounds": held,
            **({"deals": 1, "hand_in": "deals"} if preset in SHORT else {}),
            "counting": {"tie_breaks": []},
            "pairing": {"system": system, "options": options},
        },
    )
    bring(made, people, fredi)
    return made


def bring(made: Championship, people: int, fredi: User, *, house: bool = False) -> list[Entry]:
    """Let people come who were not entered before."""
    first = made.entries.count() + 1
    names = [f"Person {n}" for n in range(first, first + people)]
    wanted = [entries.NewEntry(name, status=Entry.Status.ARRIVED, house=house) for name in names]
    return list(entries.add_entries(made, wanted, actor=fredi))


def bring_pairs(made: Championship, count: int, fredi: User) -> None:
    there = bring(made, 2 * count, fredi)
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)


def evening(fredi: User, system: str, count: int, *, held: int = 3, **options: object) -> Championship:
    """Make a Partnerschieber of `count` pairs that are here, drawn by this system."""
    made = found(fredi, "partnerschieber", system, 0, held, options)
    bring_pairs(made, count, fredi)
    return made


def write(table: Table) -> None:
    """Play a dealt table by bots; on a sheet the first side gets 100 points and the table's number."""
    game = table_play.game_of(table)
    if game.mode == "dealt":
        demo_record.play_out_with_bots(game.pk)
    else:
        table_play.write_sheet(table, [100 + table.number])


def play(made: Championship, number: int, fredi: User) -> Round:
    """Draw, open, write and close a round."""
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        write(table)
    return rounds.close_round(round_, actor=fredi)


def check(made: Championship) -> None:
    """Check the draws of all closed rounds, and all rows, by the log."""
    for round_ in made.rounds.filter(status=Round.Status.CLOSED):
        assert seed_audit.remake_round(round_.stream_id).differences == ()
    made.refresh_from_db()
    assert list(row_audit.find_championship_differences(made, store.read(made.stream_id))) == []


def end(made: Championship, fredi: User) -> None:
    """End the championship before its planned rounds are played."""
    fewer_rounds.finish_early(made, actor=fredi)
    check(made)
    assert made.status == Championship.Status.FINISHED


def meetings(made: Championship) -> list[frozenset[int | None]]:
    """The pairs of entrants at each table of all rounds."""
    return [
        frozenset(seating.entry.entrant_id for seating in table.seatings.select_related("entry"))
        for round_ in made.rounds.all()
        for table in round_.tables.all()
    ]


@pytest.mark.parametrize("system", ["fixed_pairs"])
def test_an_evening_of_pairs_is_drawn_by_its_system(fredi: User, system: str) -> None:
    made = evening(fredi, system, 5, held=4)
    for number in range(1, 5):
        played = play(made, number, fredi)
        assert seed_audit.remake_round(played.stream_id).differences == ()
    met = meetings(made)
    assert len(met) == 8
    assert len(set(met)) == 8, "a pair has met an opponent twice"
    byes = [bye.entry.entrant_id for round_ in made.rounds.all() for bye in round_.byes.all()]
    assert len(set(byes)) == 4
    made.refresh_from_db()
    assert list(row_audit.find_championship_differences(made, store.read(made.stream_id))) == []


def test_a_draw_by_a_system_can_be_undone_and_is_drawn_anew(fredi: User) -> None:
    made = evening(fredi, "fixed_pairs", 6)
    first = made.rounds.get(number=1)
    drawing.draw_round(first, actor=fredi)
    before = meetings(made)
    draw_undoing.undo_draw(first, actor=fredi)
    drawing.draw_round(first, actor=fredi)
    assert meetings(made) != before


@pytest.mark.parametrize(
    ("pairing", "format_"),
    [
        ({"system": "no such system"}, "fixed_pairs"),
        ({"system": "fixed_pairs", "options": {"unknown": 1}}, "fixed_pairs"),
        ({"system": "fixed_pairs"}, "pairs"),
    ],
)
def test_regulations_refuse_a_system_that_cannot_draw_them(pairing: dict[str, object], format_: str) -> None:
    held = regulations.encode(PRESETS["partnerschieber"])
    with pytest.raises(TournamentError) as refused:
        regulation_checks.decode({**held, "pairing": pairing, "play": {**held["play"], "format": format_}})
    assert refused.value.code == "regulations/pairing"


def at_tables(made: Championship, number: int) -> list[list[int]]:
    """The numbers of the entries by table and seat."""
    tables: dict[int, list[int]] = {}
    for table, entry in (
        Seating.objects.filter(round__championship=made, round__number=number)
        .order_by("table__number", "seat")
        .values_list("table__number", "entry__number")
    ):
        tables.setdefault(table, []).append(entry)
    return list(tables.values())


def test_in_a_round_robin_of_pairs_everybody_meets_everybody(fredi: User) -> None:
    made = evening(fredi, "round_robin", 5, held=5)
    for number in range(1, 6):
        play(made, number, fredi)
    met = meetings(made)
    assert len(met) == len(set(met)) == 10
    check(made)


def test_a_round_robin_that_has_nothing_more_to_draw_can_be_ended(fredi: User) -> None:
    made = evening(fredi, "round_robin", 4, held=5)
    for number in range(1, 4):
        play(made, number, fredi)
    with pytest.raises(TournamentError) as refused:
        play(made, 4, fredi)
    assert refused.value.code == "draw/decided"
    assert made.rounds.get(number=4).status == Round.Status.PLANNED
    end(made, fredi)


def test_a_round_robin_goes_on_with_a_late_pair_and_without_one_that_has_left(fredi: User) -> None:
    made = evening(fredi, "round_robin", 4, held=6)
    play(made, 1, fredi)
    bring_pairs(made, 2, fredi)
    play(made, 2, fredi)
    for entry in made.entries.filter(number__in=[1, 2]):
        entries.withdraw_entry(entry, actor=fredi)
    for number in range(3, 7):
        play(made, number, fredi)
    met = Counter(meetings(made))
    left = made.entries.get(number=1).entrant_id
    remaining = {pair for pair in met if left not in pair}
    assert set(met.values()) == {1}
    assert len(remaining) == 10, "all of the five pairs that stayed have met"
    check(made)


def partners(made: Championship) -> Counter[frozenset[int]]:
    """How often two persons have played together."""
    return Counter(
        frozenset(side)
        for round_ in made.rounds.exclude(status=Round.Status.PLANNED)
        for seats in at_tables(made, round_.number)
        for side in (seats[::2], seats[1::2])
    )


def test_in_a_whist_tournament_everybody_partners_everybody(fredi: User) -> None:
    made = found(fredi, "klubabend", "whist", 8, 7, {})
    for number in range(1, 8):
        play(made, number, fredi)
    together = partners(made)
    assert len(together) == 28
    assert set(together.values()) == {1}
    check(made)


def test_the_plan_of_a_whist_tournament_goes_on_after_a_draw_by_hand(fredi: User) -> None:
    made = found(fredi, "klubabend", "whist", 8, 3, {})
    seating_by_hand.seat_by_hand(made.rounds.get(number=1), [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
    first = made.rounds.get(number=1)
    rounds.open_round(first, actor=fredi)
    for table in first.tables.all():
        write(table)
    rounds.close_round(first, actor=fredi)
    play(made, 2, fredi)
    play(made, 3, fredi)
    check(made)


def test_a_player_of_the_house_takes_an_empty_chair_of_the_plan(fredi: User) -> None:
    made = found(fredi, "klubabend", "whist", 8, 7, {})
    play(made, 1, fredi)
    entries.withdraw_entry(made.entries.get(number=3), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(made.rounds.get(number=2), actor=fredi)
    assert refused.value.code == "draw/empty_chairs"
    assert made.rounds.get(number=2).status == Round.Status.PLANNED
    assert not Table.objects.filter(round__championship=made, round__number=2).exists()
    bring(made, 1, fredi, house=True)
    for number in range(2, 8):
        play(made, number, fredi)
        assert sum(9 in seats for seats in at_tables(made, number)) == 1
    guests = {pair: times for pair, times in partners(made).items() if 9 not in pair}
    assert set(guests.values()) == {1}
    assert len(guests) == 22, "21 pairs of the seven that stayed, and one with the eighth"
    check(made)


def test_a_late_person_takes_the_place_of_one_who_has_left(fredi: User) -> None:
    made = found(fredi, "klubabend", "whist", 8, 7, {})
    play(made, 1, fredi)
    entries.withdraw_entry(made.entries.get(number=3), actor=fredi)
    bring(made, 1, fredi)
    for number in range(2, 8):
        play(made, number, fredi)
    assert set(partners(made).values()) == {1}
    check(made)


def test_a_computer_takes_an_empty_chair_where_cards_are_dealt(fredi: User) -> None:
    made = found(fredi, "klubabend", "whist", 8, 7, {})
    held = regulations.encode(load_regulations(made))
    regulations_change.change_regulations(
        made, {**held, "play": {**held["play"], "mode": "dealt"}}, actor=fredi
    )
    play(made, 1, fredi)
    entries.withdraw_entry(made.entries.get(number=3), actor=fredi)
    drawn = drawing.draw_round(made.rounds.get(number=2), actor=fredi)
    assert drawn.seatings.filter(entry__bot=True).count() == 1
    draw_undoing.undo_draw(drawn, actor=fredi)
    bring(made, 1, fredi, house=True)
    drawn = drawing.draw_round(made.rounds.get(number=2), actor=fredi)
    assert not drawn.seatings.filter(entry__bot=True).exists(), "people before computers"


def test_a_field_without_a_round_is_refused_and_nothing_is_drawn(fredi: User) -> None:
    alone = found(fredi, "partnerschieber", "knock_out", 0, 3, {})
    bring_pairs(alone, 1, fredi)
    for made, code in (
        (found(fredi, "klubabend", "whist", 10, 3, {}), "pairing/no_design"),
        (found(fredi, "klubabend", "whist", 6, 3, {}), "pairing/no_design"),
        (alone, "pairing/players"),
    ):
        with pytest.raises(Refused) as refused:
            drawing.draw_round(made.rounds.get(number=1), actor=fredi)
        assert refused.value.code == code
        assert made.rounds.get(number=1).status == Round.Status.PLANNED


def test_a_swiss_round_with_nobody_left_to_meet_is_drawn_and_says_so(fredi: User) -> None:
    made = found(fredi, "partnerschieber", "swiss", 0, 2, {})
    bring_pairs(made, 2, fredi)
    play(made, 1, fredi)
    drawn = drawing.draw_round(made.rounds.get(number=2), actor=fredi)
    drawn.refresh_from_db()
    assert drawn.drawn_cost is not None
    assert "pairing/met_again" in {note["code"] for note in drawn.drawn_cost["notes"]}


def test_on_a_ladder_of_pairs_winners_move_up(fredi: User) -> None:
    made = evening(fredi, "king", 6, held=4)
    for number in range(1, 4):
        play(made, number, fredi)
        before = [[seats[::2], seats[1::2]] for seats in at_tables(made, number)]
        drawing.draw_round(made.rounds.get(number=number + 1), actor=fredi)
        tables = at_tables(made, number + 1)
        assert set(before[0][0] + before[1][0]) == set(tables[0]), "both winners from above"
        assert set(before[1][1] + before[2][1]) == set(tables[2]), "both losers from below"
        draw_undoing.undo_draw(made.rounds.get(number=number + 1), actor=fredi)
    play(made, 4, fredi)
    check(made)


def test_a_ladder_of_single_players_goes_on_with_late_people(fredi: User) -> None:
    made = found(fredi, "differenzler", "king", 12, 3, {})
    play(made, 1, fredi)
    bring(made, 2, fredi)
    entries.withdraw_entry(made.entries.get(number=5), actor=fredi)
    for number in (2, 3):
        played = play(made, number, fredi)
        assert [len(seats) for seats in at_tables(made, number)] == [4, 4, 4]
        assert played.byes.count() == 1
    check(made)


def test_by_the_swiss_system_the_winners_meet_and_nobody_meets_twice(fredi: User) -> None:
    made = evening(fredi, "swiss", 7, held=4)
    for number in range(1, 4):
        play(made, number, fredi)
    bring_pairs(made, 1, fredi)
    play(made, 4, fredi)
    met = meetings(made)
    assert len(met) == len(set(met)) == 13
    byes = [bye.entry.entrant_id for round_ in made.rounds.all() for bye in round_.byes.all()]
    assert len(byes) == 2 * len(set(byes)) == 6, "nobody has a second bye"
    championships.finish(made, actor=fredi)
    check(made)


def places(made: Championship) -> dict[int, int]:
    """Place by the number of the line, as published."""
    published = published_ranking.load_latest_snapshot(made)
    assert published is not None
    return {row.key: row.place for row in published_ranking.decode_rows(published)}


def test_a_knock_out_of_eight_pairs_is_ranked_by_its_bracket(fredi: User) -> None:
    made = evening(fredi, "knock_out", 8, held=3, third=True)
    losers = []
    for number in range(1, 4):
        play(made, number, fredi)
        by_table = at_tables(made, number)
        losers.append([min(seats[1::2]) for seats in by_table])
        assert len(by_table) == [4, 2, 2][number - 1]
        if number == 1:
            assert sorted(places(made).values()) == [1] * 4 + [5] * 4
    final, third = at_tables(made, 3)
    standing = places(made)
    assert [standing[min(final[::2])], standing[min(final[1::2])]] == [1, 2]
    assert [standing[min(third[::2])], standing[min(third[1::2])]] == [3, 4]
    assert all(standing[loser] >= 5 for loser in losers[0])
    assert {row.key: row.place for row in ranking_basis.live_ranking(made)} == standing
    championships.finish(made, actor=fredi)
    check(made)


def test_a_bracket_that_ends_early_leaves_rounds_that_can_be_dropped(fredi: User) -> None:
    made = evening(fredi, "knock_out", 4, held=5)
    play(made, 1, fredi)
    play(made, 2, fredi)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(made.rounds.get(number=3), actor=fredi)
    assert refused.value.code == "draw/decided"
    end(made, fredi)


def test_who_leaves_a_bracket_loses_the_next_match_and_late_pairs_wait(fredi: User) -> None:
    made = evening(fredi, "knock_out", 8, held=3)
    play(made, 1, fredi)
    through = {number for number, place in places(made).items() if place == 1}
    gone = min(through)
    for entry in made.entries.filter(entrant__number=gone):
        entries.withdraw_entry(entry, actor=fredi)
    bring_pairs(made, 1, fredi)
    second = play(made, 2, fredi)
    assert len(at_tables(made, 2)) == 1
    assert second.byes.count() == 2, "who would have met the pair that left"
    play(made, 3, fredi)
    standing = places(made)
    assert standing[gone] == 3
    assert standing[17] == 9, "the late pair has no place in the bracket"
    check(made)


def test_a_knock_out_of_single_players_at_tables_of_two(fredi: User) -> None:
    made = found(fredi, "la_pomme", "knock_out", 5, 3, {})
    for number in (1, 2, 3):
        play(made, number, fredi)
    assert sorted(places(made).values())[:2] == [1, 2]
    championships.finish(made, actor=fredi)
    check(made)


def test_a_corrected_result_moves_places_of_the_bracket(fredi: User) -> None:
    made = evening(fredi, "knock_out", 2, held=1)
    played = play(made, 1, fredi)
    (seats,) = at_tables(made, 1)
    winner = min(seats[::2])
    assert places(made)[winner] == 1
    game = table_play.game_of(played.tables.get())
    corrected = {"cmd": "correct_result", "deal": 1, "card_points": [10, 147], "reason": "exchanged"}
    submit(str(game.pk), corrected, actor="d" * 32, command_id="corrected")
    published_ranking.republish(played, reason="corrected", ref=str(fredi.pk))
    assert places(made)[winner] == 2
