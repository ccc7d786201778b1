"""Open heats: sessions, starts and their queue, tables from it, and the ranking of starts and persons."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from games import store
from games.models import User
from tests.tournaments import table_play
from tournaments import personal_data, regulation_checks, regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Booking, Championship, Entry, QueuePlace, Round, Seating, Table
from tournaments.presets import PRESETS
from tournaments.services import cache_versions, open_heat_queue
from tournaments.services.audit import row_audit
from tournaments.services.championships import championship_copy, championships
from tournaments.services.draw import draw_undoing, drawing, seating_by_hand, seed_audit
from tournaments.services.entries import entries, merging, pairs
from tournaments.services.money import fees
from tournaments.services.open_heat import seating, sessions, starts
from tournaments.services.rounds import fewer_rounds, rounds
from tournaments.services.scores import published_ranking, ranking_basis
from tournaments.services.scores.live_ranking import LiveRanking

pytestmark = pytest.mark.django_db


def found_heat(fredi: User, *, held: int = 2, best: int = 1, mix: int = 0, **more: Any) -> Championship:
    """Make an open heat of Partnerschieber, one deal a start, with this many sessions."""
    play = {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet"}
    return championships.create(
        actor=fredi,
        name="Ausscheidung",
        preset="klubabend",
        changes={
            "play": play,
            "rounds": held,
            "deals": 1,
            "hand_in": "deals",
            "counting": {"what": "best", "number": best, "tie_breaks": ["next_highest"]},
            "pairing": {"system": "open", "options": {"mix": mix}},
            **more,
        },
    )


def open_one(made: Championship, number: int, fredi: User) -> Round:
    return sessions.open_session(made.rounds.get(number=number), actor=fredi)


def come(session: Round, names: str, fredi: User) -> list[Entry]:
    """Let people come who were not entered before; they queue in this order."""
    return [starts.add_newcomer(session, actor=fredi, name=f"Frau {name}") for name in names]


def names_waiting(session: Round) -> str:
    return "".join(one.entry.name[-1] for one in open_heat_queue.list_waiting(session))


def write(table: Table, points: int = 100) -> None:
    table_play.write_sheet(table, [points])


def check(made: Championship) -> None:
    """Check all rows, and the draws of closed sessions, by the log."""
    for round_ in made.rounds.all():
        assert list(row_audit.find_round_differences(round_, store.read(round_.stream_id))) == []
        if round_.status == Round.Status.CLOSED:
            assert seed_audit.remake_round(round_.stream_id).differences == ()
    made.refresh_from_db()
    assert list(row_audit.find_championship_differences(made, store.read(made.stream_id))) == []


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect a refusal with this code."""
    with pytest.raises((TournamentError, NotAllowed)) as caught:
        yield
    assert caught.value.code == code


def test_tables_are_seated_as_soon_as_the_queue_fills_them(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    come(session, "ABCDEFGHI", fredi)
    proposal = seating.propose_tables(session, open_heat_queue.list_waiting(session))
    assert (proposal.tables, proposal.people, proposal.remain) == (2, 8, 1)
    opened = seating.seat_next(session, actor=fredi, seen=0)
    assert [table.number for table in opened] == [1, 2]
    assert Seating.objects.filter(round=session).count() == 8
    assert len(names_waiting(session)) == 1
    for table in opened:
        write(table)
    rounds.close_round(session, actor=fredi)
    assert len(published_ranking.decode_rows(published_ranking.load_latest_snapshot(made))) == 8  # type: ignore[arg-type]  # published
    check(made)


def test_a_person_starts_again_and_the_best_start_counts(fredi: User) -> None:
    made = found_heat(fredi, best=1)
    session = open_one(made, 1, fredi)
    people = come(session, "ABCD", fredi)
    [first] = seating.seat_next(session, actor=fredi)
    write(first, 120)
    for person in people:
        starts.add_start(session, person, actor=fredi)
    [second] = seating.seat_next(session, actor=fredi)
    write(second, 90)
    rounds.close_round(session, actor=fredi)
    rows = ranking_basis.rank_basis(ranking_basis.load_basis(made))
    assert {row.key for row in rows} == {person.number for person in people}
    for row in rows:
        assert [score.round for score in row.rounds] == [1, 2]
        assert row.total == max(score.points or 0 for score in row.rounds)
        assert sum(score.counts for score in row.rounds) == 1
    alone = ranking_basis.rank_starts(made)
    assert len(alone) == 8
    assert all(one.total >= other.total for one, other in pairwise(alone))
    check(made)


def test_best_two_of_three_count_and_no_fourth_start_is_sold(fredi: User) -> None:
    made = found_heat(fredi, held=4, best=2, starts=3)
    session = open_one(made, 1, fredi)
    people = come(session, "ABCD", fredi)
    for points in (120, 30, 100):
        for person in people if points != 120 else ():
            starts.add_start(session, person, actor=fredi)
        [table] = seating.seat_next(session, actor=fredi)
        write(table, points)
    with refused("starts/most"):
        starts.add_start(session, people[0], actor=fredi)
    rows = ranking_basis.live_ranking(made)
    for row in rows:
        points_of = sorted((score.points or 0 for score in row.rounds), reverse=True)
        assert row.total == sum(points_of[:2])


def test_each_start_is_paid_at_the_till_and_paid_back_when_it_is_taken_back(fredi: User) -> None:
    made = found_heat(fredi)
    fees.set_fees(made, [fees.Price("Start", 2000)], actor=fredi)
    session = open_one(made, 1, fredi)
    [anna] = come(session, "A", fredi)
    again = starts.add_start(session, anna, actor=fredi, method=Booking.Method.TWINT)
    assert again.start_of == anna
    assert again.number == 2
    assert sum(Booking.objects.values_list("amount", flat=True)) == 4000
    starts.take_back_start(again, actor=fredi)
    assert sum(Booking.objects.values_list("amount", flat=True)) == 2000
    assert names_waiting(session) == "A"
    once_more = starts.add_start(session, anna, actor=fredi)
    assert once_more.pk == again.pk, "a start that was taken back is sold again, with its number"
    assert sum(Booking.objects.values_list("amount", flat=True)) == 4000
    check(made)


def test_a_double_press_buys_one_start_and_seats_once(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    anna = come(session, "ABCD", fredi)[0]
    starts.add_start(session, anna, actor=fredi, seen=1)
    with refused("starts/changed_since"):
        starts.add_start(session, anna, actor=fredi, seen=1)
    seating.seat_next(session, actor=fredi, seen=0)
    with refused("sessions/changed_since"):
        seating.seat_next(session, actor=fredi, seen=0)


def test_nobody_is_in_two_sessions_at_once(fredi: User) -> None:
    made = found_heat(fredi)
    here, there = open_one(made, 1, fredi), open_one(made, 2, fredi)
    anna, *_rest = come(here, "ABCD", fredi)
    with refused("starts/waits_elsewhere"):
        starts.add_start(there, anna, actor=fredi)
    [table] = seating.seat_next(here, actor=fredi)
    with refused("starts/plays_elsewhere"):
        starts.add_start(there, anna, actor=fredi)
    assert Entry.objects.filter(championship=made).count() == 4, "nothing is half done"
    write(table)
    starts.add_start(there, anna, actor=fredi)
    assert names_waiting(there) == "A"


def test_who_plays_waits_with_the_next_start_for_the_end_of_the_table(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    anna, *_rest = come(session, "ABCD", fredi)
    [table] = seating.seat_next(session, actor=fredi)
    starts.add_start(session, anna, actor=fredi)
    come(session, "EFG", fredi)
    waiting = open_heat_queue.list_waiting(session)
    assert [one.table for one in waiting] == [1, None, None, None]
    assert seating.propose_tables(session, waiting).tables == 0
    with refused("sessions/too_few"):
        seating.seat_next(session, actor=fredi)
    write(table)
    [second] = seating.seat_next(session, actor=fredi)
    assert second.number == 2
    check(made)


def test_two_starts_of_one_person_never_sit_at_one_table(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    anna, *_rest = come(session, "ABC", fredi)
    starts.add_start(session, anna, actor=fredi)
    assert seating.propose_tables(session, open_heat_queue.list_waiting(session)).tables == 0
    come(session, "D", fredi)
    seating.seat_next(session, actor=fredi)
    assert names_waiting(session) == "A"


def test_the_same_four_meet_again_only_where_nobody_else_waits(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    people = come(session, "ABCD", fredi)
    [table] = seating.seat_next(session, actor=fredi)
    write(table)
    for person in people:
        starts.add_start(session, person, actor=fredi)
    come(session, "E", fredi)
    [second] = seating.seat_next(session, actor=fredi)
    names = {seat.entry.name for seat in second.seatings.select_related("entry")}
    assert "Frau E" in names


def test_the_director_lets_the_queue_wait_for_a_better_mixture(fredi: User) -> None:
    made = found_heat(fredi, mix=2)
    session = open_one(made, 1, fredi)
    come(session, "ABCDE", fredi)
    assert seating.propose_tables(session, open_heat_queue.list_waiting(session)).tables == 0
    with refused("sessions/too_few"):
        seating.seat_next(session, actor=fredi)
    assert seating.propose_tables(session, open_heat_queue.list_waiting(session), mix=1).tables == 1
    seating.seat_next(session, actor=fredi, mix=1)
    with refused("sessions/mix"):
        seating.seat_next(session, actor=fredi, mix=-1)
    check(made)


def test_the_last_table_is_taken_back_until_it_has_a_result(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    come(session, "ABCDEFGH", fredi)
    order = names_waiting(session)
    first, second = seating.seat_next(session, actor=fredi)
    with refused("sessions/not_last"):
        seating.take_table_back(session, first.number, actor=fredi)
    seating.take_table_back(session, second.number, actor=fredi)
    seating.take_table_back(session, first.number, actor=fredi)
    assert names_waiting(session) == order, "everybody waits where they waited before"
    check(made)
    seats = [[s.entry.number for s in t.seatings.order_by("seat")] for t in (first, second)]
    again = seating.seat_next(session, actor=fredi)
    assert [table.number for table in again] == [1, 2]
    write(again[1])
    with refused("sessions/has_results"):
        seating.take_table_back(session, 2, actor=fredi)
    write(again[0])
    rounds.close_round(session, actor=fredi)
    assert seats == [[], []]
    check(made)


def test_a_seated_start_is_not_taken_back(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    anna, *_rest = come(session, "ABCD", fredi)
    seating.seat_next(session, actor=fredi)
    for act in (starts.take_back_start, starts.leave_queue):
        with refused("starts/seated"):
            act(anna, actor=fredi)


def test_a_start_that_leaves_the_queue_stays_bought(fredi: User) -> None:
    made = found_heat(fredi)
    here, there = open_one(made, 1, fredi), open_one(made, 2, fredi)
    [anna] = come(here, "A", fredi)
    starts.leave_queue(anna, actor=fredi)
    with refused("starts/not_waiting"):
        starts.leave_queue(anna, actor=fredi)
    assert starts.add_start(there, anna, actor=fredi) == anna
    assert Entry.objects.filter(championship=made).count() == 1


def test_a_session_that_closes_releases_who_still_waits(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    come(session, "ABCDE", fredi)
    [table] = seating.seat_next(session, actor=fredi)
    with refused("rounds/tables_playing"):
        rounds.close_round(session, actor=fredi)
    write(table)
    rounds.close_round(session, actor=fredi)
    left = Entry.objects.get(championship=made, seatings=None)
    assert left.status == Entry.Status.PAID
    assert not QueuePlace.objects.filter(entry=left).exists()
    with refused("sessions/not_open"):
        starts.add_start(session, left, actor=fredi)
    other = open_one(made, 2, fredi)
    assert starts.add_start(other, left, actor=fredi) == left


def test_sessions_overlap_and_open_in_their_order(fredi: User) -> None:
    made = found_heat(fredi, held=3)
    with refused("sessions/out_of_order"):
        open_one(made, 2, fredi)
    first = open_one(made, 1, fredi)
    with refused("sessions/already_open"):
        open_one(made, 1, fredi)
    second = open_one(made, 2, fredi)
    for session, names in ((first, "ABCD"), (second, "EFGH")):
        come(session, names, fredi)
        [table] = seating.seat_next(session, actor=fredi)
        write(table)
    rounds.close_round(second, actor=fredi)
    rounds.close_round(first, actor=fredi)
    assert len(published_ranking.decode_rows(published_ranking.load_latest_snapshot(made))) == 8  # type: ignore[arg-type]  # published
    check(made)


def test_an_empty_session_is_undone_and_opened_again(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    draw_undoing.undo_draw(session, actor=fredi)
    assert session.status == Round.Status.PLANNED
    session = open_one(made, 1, fredi)
    come(session, "ABCD", fredi)
    seating.seat_next(session, actor=fredi)
    with refused("sessions/has_tables"):
        draw_undoing.undo_draw(session, actor=fredi)
    check(made)


def test_other_championships_have_no_sessions_and_heats_no_draw(fredi: User) -> None:
    plain = championships.create(actor=fredi, name="Abend", preset="klubabend")
    with refused("sessions/none"):
        sessions.open_session(plain.rounds.get(number=1), actor=fredi)
    made = found_heat(fredi)
    with refused("draw/session"):
        drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    with refused("draw/session"):
        seating_by_hand.seat_by_hand(made.rounds.get(number=1), [], actor=fredi)


@pytest.mark.parametrize(
    "changes",
    [
        {"counting": {"what": "sum"}},
        {"teams": {"size": 4, "best": 2}, "play": "fixed_pairs"},
        {"starts": 3, "pairing": None},
    ],
)
def test_regulations_refuse_what_an_open_heat_cannot_have(changes: dict[str, Any]) -> None:
    held = regulations.encode(PRESETS["klubabend"])
    data = {**held, "pairing": {"system": "open"}, "counting": {"what": "best", "number": 1}, **changes}
    if data["pairing"] is None:
        data |= {"counting": held["counting"]}
        del data["pairing"]
    data["play"] = {**held["play"], "format": "fixed_pairs"} if changes.get("play") else held["play"]
    with refused("regulations/starts"):
        regulation_checks.decode(data)


def test_the_best_n_may_be_more_than_the_sessions_but_not_than_the_starts(fredi: User) -> None:
    found_heat(fredi, held=1, best=3)
    with refused("regulations/counting"):
        found_heat(fredi, held=1, best=3, starts=2)


def test_only_the_desk_sells_starts_and_only_the_director_opens(fredi: User, eva: User) -> None:
    made = found_heat(fredi)
    with refused("tournaments/not_allowed"):
        sessions.open_session(made.rounds.get(number=1), actor=eva)
    session = open_one(made, 1, fredi)
    [anna] = come(session, "A", fredi)
    for act in (
        lambda: starts.add_start(session, anna, actor=eva),
        lambda: starts.take_back_start(anna, actor=eva),
        lambda: starts.leave_queue(anna, actor=eva),
        lambda: seating.seat_next(session, actor=eva),
        lambda: seating.take_table_back(session, 1, actor=eva),
        lambda: sessions.set_venue(session, actor=eva, place="Krone", starts_at=None),
    ):
        with refused("tournaments/not_allowed"):
            act()


def test_dealt_tables_are_seated_too_and_not_taken_back(fredi: User) -> None:
    made = found_heat(fredi, play={**regulations.encode(PRESETS["klubabend"])["play"], "mode": "dealt"})
    session = open_one(made, 1, fredi)
    come(session, "ABCDEFGH", fredi)
    opened = seating.seat_next(session, actor=fredi)
    with refused("sessions/cards_dealt"):
        seating.take_table_back(session, 2, actor=fredi)
    for table in opened:
        table_play.play_to_the_end(table.round)
        break
    rounds.close_round(session, actor=fredi)
    check(made)


def test_numbers_are_drawn_for_each_press_anew(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    come(session, "ABCDEFGH", fredi)
    for _press in range(3):
        seating.seat_next(session, actor=fredi)
        for number in (2, 1):
            seating.take_table_back(session, number, actor=fredi)
    told = [e.body for e in store.read(session.stream_id, parts=False) if e.type == "tables_drawn"]
    assert [body["draw"] for body in told] == [1, 2, 3]
    assert max(Counter(body["seed"] for body in told).values()) == 1


def test_the_desk_that_marks_somebody_away_takes_them_out_of_the_queue(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    anna, beat = come(session, "AB", fredi)
    entries.leave(anna, actor=fredi)
    entries.withdraw_entry(beat, actor=fredi)
    assert names_waiting(session) == ""
    entries.arrive(anna, actor=fredi)
    assert names_waiting(session) == "", "being here is not yet queueing"


def test_a_further_start_is_renamed_erased_and_merged_only_with_its_person(fredi: User) -> None:
    made = found_heat(fredi)
    session = open_one(made, 1, fredi)
    anna, beat = come(session, "AB", fredi)
    again = starts.add_start(session, anna, actor=fredi)
    entries.edit_entry(Entry.objects.get(pk=anna.pk), actor=fredi, family_name="Neu", first_name="Anna")
    again.refresh_from_db()
    assert again.name == "Anna Neu"
    with refused("merge/start"):
        merging.merge_entries(again, beat, actor=fredi)
    subject = personal_data.find_subject(f"{made.slug}/{again.number}")
    assert {one.pk for one in subject.entries} == {anna.pk, again.pk}


def test_two_entries_of_one_person_count_as_one_with_all_their_starts(fredi: User) -> None:
    made = found_heat(fredi, held=2, best=2)
    session = open_one(made, 1, fredi)
    people = come(session, "ABCD", fredi)
    [table] = seating.seat_next(session, actor=fredi)
    write(table, 100)
    rounds.close_round(session, actor=fredi)
    other = open_one(made, 2, fredi)
    twin, *_rest = come(other, "EFGH", fredi)
    [table] = seating.seat_next(other, actor=fredi)
    write(table, 100)
    rounds.close_round(other, actor=fredi)
    merging.merge_entries(people[0], twin, actor=None, reason="dieselbe Frau")
    rows = {row.key: row for row in published_ranking.decode_rows(made.snapshots.latest("version"))}
    assert twin.number not in rows
    assert len(rows[people[0].number].rounds) == 2
    check(made)


@pytest.mark.parametrize("seed", range(3))
def test_random_sessions_equal_a_naive_recount(seed: int, fredi: User) -> None:
    """Two sessions overlap; people queue, leave, go over to the other one; tables are taken back."""
    chance = random.Random(seed)
    made = found_heat(fredi, best=2, starts=4)
    both = [open_one(made, number, fredi) for number in (1, 2)]
    people = [entries.add_entry(made, actor=fredi, name=f"Person {n}") for n in range(9)]
    points_of: dict[int, list[tuple[int, int]]] = {}
    refusals = set()
    for _step in range(45):
        session, person = chance.choice(both), chance.choice(people)
        try:
            what = chance.choice(["queue"] * 6 + ["leave", "seat", "seat", "back"])
            if what == "queue":
                starts.add_start(session, person, actor=fredi)
            elif what == "leave" and (waiting := open_heat_queue.list_waiting(session)):
                starts.leave_queue(chance.choice(waiting).entry, actor=fredi)
            elif what == "back" and session.tables.exists():
                seating.take_table_back(session, session.tables.count(), actor=fredi)
            elif what == "seat":
                seating.seat_next(session, actor=fredi)
        except TournamentError as no:
            refusals.add(no.code.partition("/")[0])
        for table in Table.objects.filter(round__in=both, game__status__in=("waiting", "running")):
            if chance.random() < 0.2:
                write(table, chance.choice((40, 80, 100)))
        here = Counter(
            (seat.entry.start_of or seat.entry).pk
            for seat in Seating.objects.filter(round__in=both)
            .exclude(table__game__status="ended")
            .select_related("entry__start_of")
        )
        assert max(here.values(), default=1) == 1, "somebody sits at two tables"
    assert refusals <= {"starts", "sessions"}
    for session in both:
        rounds.close_round(session, actor=fredi, force=True)
    for seat in Seating.objects.filter(round__in=both).select_related("entry__start_of", "table__game"):
        game = table_play.game_of(seat.table)
        if game.status == "ended":
            person_number = (seat.entry.start_of or seat.entry).number
            own = game.totals[seat.seat % 2]
            points_of.setdefault(person_number, []).append((seat.entry.number, own))
    naive = {n: sum(sorted((p for _n, p in own), reverse=True)[:2]) for n, own in points_of.items()}
    assert len(naive) > 3
    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    assert {row.key: row.total for row in rows if row.has_result} == naive
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    for row in rows:
        told = [one.points for one in row.rounds if one.points is not None]
        assert told == [points for _n, points in sorted(points_of.get(row.key, []))]
    live = LiveRanking().rows(made, list(made.rounds.order_by("number")), cache_version_of(made))
    assert list(live) == ranking_basis.live_ranking(made)
    check(made)


def cache_version_of(made: Championship) -> cache_versions.CacheVersion:
    found = cache_versions.load_cache_version(made.pk, fresh=True)
    assert found is not None
    return found


def test_a_heat_ends_early_with_the_sessions_that_were_held(fredi: User) -> None:
    made = found_heat(fredi, held=4, best=3)
    session = open_one(made, 1, fredi)
    people = come(session, "ABCD", fredi)
    [table] = seating.seat_next(session, actor=fredi)
    write(table)
    starts.add_start(session, people[0], actor=fredi)
    rounds.close_round(session, actor=fredi)
    fewer_rounds.finish_early(made, actor=fredi)
    made.refresh_from_db()
    assert made.status == Championship.Status.FINISHED
    check(made)
    fredi.may_found = True
    fredi.save(update_fields=["may_found"])
    again = championship_copy.duplicate_championship(made, actor=fredi, name="Noch einmal", people=True)
    assert again.entries.count() == 4, "a further start is nobody else"


def found_pair_heat(fredi: User, **more: Any) -> Championship:
    """Make an open heat of fixed pairs."""
    play = {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet", "format": "fixed_pairs"}
    return found_heat(fredi, play=play, **more)


def enter(made: Championship, names: str, fredi: User) -> list[Entry]:
    return [entries.add_entry(made, actor=fredi, name=f"Frau {name}") for name in names]


def pairs_waiting(session: Round) -> list[str]:
    return ["".join(entry.name[-1] for entry in one.entries) for one in open_heat_queue.list_waiting(session)]


def seated_pairs(session: Round) -> list[set[str]]:
    """The pairs at each table, by the last letters of their names."""
    found = []
    for table in session.tables.order_by("number"):
        names = [one.entry.name[-1] for one in table.seatings.order_by("seat").select_related("entry")]
        found.append({"".join(sorted(names[at::2])) for at in (0, 1)})
    return found


def test_two_pairs_fill_a_table_and_stay_together(fredi: User) -> None:
    made = found_pair_heat(fredi)
    fees.set_fees(made, [fees.Price("Start", 2000)], actor=fredi)
    session = open_one(made, 1, fredi)
    a, b, c, d, e, f = enter(made, "ABCDEF", fredi)
    for one, other in ((a, d), (b, c), (e, f)):
        starts.add_start(session, one, partner=other, actor=fredi, seen=0)
    assert sum(Booking.objects.values_list("amount", flat=True)) == 12000
    assert pairs_waiting(session) == ["AD", "BC", "EF"]
    proposal = seating.propose_tables(session, open_heat_queue.list_waiting(session))
    assert (proposal.tables, proposal.people, proposal.waiting, proposal.remain) == (1, 4, 3, 1)
    [table] = seating.seat_next(session, actor=fredi, seen=0)
    assert seated_pairs(session) == [{"AD", "BC"}]
    starts.add_start(session, a, partner=e, actor=fredi)
    assert [one.table for one in open_heat_queue.list_waiting(session)] == [None, 1]
    with refused("sessions/too_few"):  # Frau A plays, and Frau E waits with an earlier start
        seating.seat_next(session, actor=fredi)
    write(table, 100)
    starts.add_start(session, b, partner=c, actor=fredi)
    starts.add_start(session, d, partner=b, actor=fredi)
    [table] = seating.seat_next(session, actor=fredi)
    assert seated_pairs(session)[1] == {"EF", "BC"}
    write(table, 40)
    rounds.close_round(session, actor=fredi)
    rows = {row.numbers: row for row in published_ranking.decode_rows(made.snapshots.latest("version"))}
    assert rows.keys() == {(1, 4), (2, 3), (5, 6)}, "one row a pair, and none for pairs that have not played"
    assert [len(rows[one].rounds) for one in rows] == [1, 2, 1] or len(rows[2, 3].rounds) == 2
    assert rows[2, 3].total == max(score.points or 0 for score in rows[2, 3].rounds)
    assert {row.numbers for row in ranking_basis.rank_starts(made)} == set(rows)
    assert len(ranking_basis.rank_starts(made)) == 4
    live = LiveRanking().rows(made, list(made.rounds.order_by("number")), cache_version_of(made))
    assert list(live) == ranking_basis.live_ranking(made)
    check(made)


def test_a_person_has_a_row_with_each_partner(fredi: User) -> None:
    made = found_pair_heat(fredi)
    session = open_one(made, 1, fredi)
    a, b, c, d = enter(made, "ABCD", fredi)
    for together, points in (((a, b), (c, d)), 100), (((a, c), (b, d)), 60):
        for one, other in together:
            starts.add_start(session, one, partner=other, actor=fredi)
        [table] = seating.seat_next(session, actor=fredi)
        write(table, points)
    rows = ranking_basis.live_ranking(made)
    assert sorted(row.numbers for row in rows) == [(1, 2), (1, 3), (2, 4), (3, 4)]
    assert seated_pairs(session) == [{"AB", "CD"}, {"AC", "BD"}]
    check(made)


def test_what_happens_to_one_of_a_pair_happens_to_its_start(fredi: User) -> None:
    made = found_pair_heat(fredi)
    fees.set_fees(made, [fees.Price("Start", 2000)], actor=fredi)
    here, there = open_one(made, 1, fredi), open_one(made, 2, fredi)
    a, b, c, _d = enter(made, "ABCD", fredi)
    with refused("starts/no_partner"):
        starts.add_start(here, a, actor=fredi)
    with refused("pairs/oneself"):
        starts.add_start(here, a, partner=a, actor=fredi)
    start = starts.add_start(here, a, partner=b, actor=fredi)
    with refused("starts/waits_elsewhere"):
        starts.add_start(there, c, partner=b, actor=fredi)
    assert Entry.objects.filter(championship=made).count() == 4, "nothing is half done"
    b.refresh_from_db()
    starts.leave_queue(b, actor=fredi)
    assert pairs_waiting(here) == []
    assert starts.add_start(there, b, partner=a, actor=fredi) == start, "the start stays bought"
    assert sum(Booking.objects.values_list("amount", flat=True)) == 4000
    a.refresh_from_db()
    entries.leave(a, actor=fredi)
    assert (pairs_waiting(there), QueuePlace.objects.count()) == ([], 0)
    starts.add_start(there, a, partner=b, actor=fredi)
    starts.take_back_start(start, actor=fredi)
    assert sum(Booking.objects.values_list("amount", flat=True)) == 0
    assert set(made.entries.filter(number__lte=2).values_list("status", flat=True)) == {"withdrawn"}
    assert starts.add_start(there, a, partner=b, actor=fredi) == start, "and is sold again with its number"
    a.refresh_from_db()
    pairs.pair(a, None, actor=fredi)
    assert (pairs_waiting(there), QueuePlace.objects.count()) == ([], 0)
    check(made)


def test_the_starts_of_both_of_a_pair_are_limited(fredi: User) -> None:
    made = found_pair_heat(fredi, starts=1)
    session = open_one(made, 1, fredi)
    a, b, c = enter(made, "ABC", fredi)
    starts.add_start(session, a, partner=b, actor=fredi)
    with refused("starts/most"):
        starts.add_start(session, c, partner=b, actor=fredi)
    assert made.entries.get(number=3).status == Entry.Status.REGISTERED
    plain = open_one(found_heat(fredi), 1, fredi)
    one, other = enter(plain.championship, "AB", fredi)
    with refused("starts/alone"):
        starts.add_start(plain, one, partner=other, actor=fredi)


@pytest.mark.parametrize("seed", range(2))
def test_random_sessions_of_pairs_equal_a_naive_recount(seed: int, fredi: User) -> None:
    """Partners change from start to start; the same four never meet again while others wait."""
    chance = random.Random(seed)
    made = found_pair_heat(fredi, best=2, held=1)
    session = open_one(made, 1, fredi)
    people = [entries.add_entry(made, actor=fredi, name=f"Person {n}") for n in range(10)]
    refusals = set()
    for _step in range(40):
        try:
            what = chance.choice(["queue"] * 4 + ["seat"] * 3 + ["leave", "back"])
            if what == "queue":
                one, other = chance.sample(people, 2)
                starts.add_start(session, one, partner=other, actor=fredi)
            elif what == "leave" and (waiting := open_heat_queue.list_waiting(session)):
                starts.leave_queue(chance.choice(chance.choice(waiting).entries), actor=fredi)
            elif what == "back" and session.tables.exists():
                seating.take_table_back(session, session.tables.count(), actor=fredi)
            elif what == "seat":
                seating.seat_next(session, actor=fredi)
        except TournamentError as no:
            refusals.add(no.code.partition("/")[0])
        for table in Table.objects.filter(round=session, game__status__in=("waiting", "running")):
            if chance.random() < 0.5:
                write(table, chance.choice((40, 80, 100)))
    assert refusals <= {"starts", "sessions"}
    rounds.close_round(session, actor=fredi, force=True)
    naive: dict[frozenset[int], list[int]] = {}
    for table in session.tables.order_by("number").select_related("game"):
        seats = list(table.seatings.order_by("seat").select_related("entry__start_of", "entry__entrant"))
        numbers = [(seat.entry.start_of or seat.entry).number for seat in seats]
        assert len(set(numbers)) == 4
        assert seats[0].entry.entrant == seats[2].entry.entrant != seats[1].entry.entrant
        game = table_play.game_of(table)
        if game.status == "ended":
            for side in (0, 1):
                naive.setdefault(frozenset(numbers[side::2]), []).append(game.totals[side])
    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    totals = {pair: sum(sorted(points, reverse=True)[:2]) for pair, points in naive.items()}
    assert {frozenset(row.numbers): row.total for row in rows if row.has_result} == totals
    assert len(naive) > 3
    check(made)
