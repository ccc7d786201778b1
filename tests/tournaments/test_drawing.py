"""Drawing: from people present to seats, once, recorded, and reproducible by anybody."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from games import store
from games.models import Game, User
from tournaments import pairing, regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Bye, Championship, Entry, Round, Seating, Table
from tournaments.services.championships import regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing, seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.both

People = Callable[[int], list[Entry]]


def events_of(round_: Round) -> list[tuple[str, dict[str, Any]]]:
    return [(event.type, event.body) for event in store.read(round_.stream_id)]


def first(championship: Championship) -> Round:
    return championship.rounds.get(number=1)


def test_everybody_who_has_arrived_gets_one_seat(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(16)
    entries.add_entry(championship, actor=fredi, name="Nicht da")
    round_ = drawing.draw_round(first(championship), actor=fredi)
    assert round_.status == Round.Status.DRAWN
    assert Table.objects.filter(round=round_).count() == 4
    seated = Seating.objects.filter(round=round_).values_list("entry__number", flat=True)
    assert sorted(seated) == list(range(1, 17))


def test_the_commitment_to_the_seed_stands_before_the_draw(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(8)
    drawing.draw_round(first(championship), actor=fredi)
    assert [type_ for type_, _body in events_of(first(championship))] == ["seed_committed", "seats_drawn"]


def test_anybody_can_draw_again_from_what_is_recorded(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(9)
    round_ = drawing.draw_round(first(championship), actor=fredi)
    [told] = [body for type_, body in events_of(round_) if type_ == "seats_drawn"]
    past = tuple(
        pairing.DrawnRound(tuple(tuple(t) for t in one["tables"]), tuple(one["byes"]))
        for one in told["problem"].pop("past")
    )
    problem = pairing.PairingProblem(seed=bytes.fromhex(told["seed"]), past=past, **told["problem"])
    again = pairing.draw(problem).rounds[0]
    assert [[told["players"][p] for p in table] for table in again.tables] == told["tables"]
    assert [told["players"][p] for p in again.byes] == told["sit_out"]
    assert told["algorithm"] == pairing.VERSION
    assert told["cost"] == round_.drawn_cost
    seats = Seating.objects.filter(round=round_).order_by("table__number", "seat")
    assert [ref for table in told["tables"] for ref in table] == [s.entry.player_ref for s in seats]
    assert [s.entry.player_ref for s in Bye.objects.filter(round=round_)] == told["sit_out"]


def test_no_name_enters_a_stream(championship: Championship, fredi: User, arrived: People) -> None:
    people = arrived(8)
    drawing.draw_round(first(championship), actor=fredi)
    for stream in (championship.stream_id, first(championship).stream_id):
        log = b"".join(event.envelope for event in store.read(stream))
        assert not any(person.name.encode() in log for person in people)
        assert fredi.username.encode() not in log


def test_four_rounds_repeat_neither_partner_nor_opponent(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From fixed seeds: of those by chance less than one in 500 lets a few opponents meet again."""
    seeds: dict[str, bytes] = {}
    monkeypatch.setattr(
        drawing,
        "derive_draw_seed",
        lambda stream, _draw: seeds.setdefault(stream, bytes([len(seeds) + 1]) * 32),
    )
    arrived(16)
    for number in (1, 2, 3, 4):
        round_ = drawing.draw_round(championship.rounds.get(number=number), actor=fredi)
        assert round_.drawn_cost is not None
        assert round_.drawn_cost["partner_repeats"] == round_.drawn_cost["meeting_repeats"] == 0


def test_a_drawn_round_is_not_drawn_again(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(8)
    drawing.draw_round(first(championship), actor=fredi)
    before = events_of(first(championship))
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(first(championship), actor=fredi)
    assert refused.value.code == "draw/already_drawn"
    assert events_of(first(championship)) == before
    assert Seating.objects.count() == 8


def seat_two_tables(round_: Round, *, actor: User) -> Round:
    return seating_by_hand.seat_by_hand(round_, [[1, 2, 3, 4], [5, 6, 7, 8]], actor=actor)


def test_a_second_director_who_drew_meanwhile_gets_a_clear_error(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second draw is computed before the first one is stored."""
    arrived(8)
    compute = pairing.draw

    def while_another_draws(problem: pairing.PairingProblem) -> pairing.Draw:
        monkeypatch.setattr(pairing, "draw", compute)
        drawing.draw_round(first(championship), actor=fredi)
        return compute(problem)

    monkeypatch.setattr(pairing, "draw", while_another_draws)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(first(championship), actor=fredi)
    assert refused.value.code == "draw/already_drawn"
    assert Seating.objects.count() == 8
    assert [type_ for type_, _ in events_of(first(championship))].count("seats_drawn") == 1


def test_a_draw_is_not_stored_when_somebody_left_meanwhile(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = arrived(9)
    refuses_what_changed_meanwhile(
        championship, fredi, monkeypatch, lambda: entries.withdraw_entry(people[0], actor=fredi)
    )


def test_a_draw_is_not_stored_by_regulations_that_hold_no_more(
    championship: Championship, fredi: User, arrived: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever verifies the file compares the draw with what held when it was written down."""
    arrived(8)
    more = championship.rounds.count() + 1

    def a_round_is_added() -> None:
        data = {**regulations.encode(load_regulations(championship)), "rounds": more}
        regulations_change.change_regulations(championship, data, actor=fredi)

    refuses_what_changed_meanwhile(championship, fredi, monkeypatch, a_round_is_added)


@pytest.mark.parametrize("act", [drawing.draw_round, seat_two_tables])
def test_no_tables_of_a_mode_that_holds_no_more_are_stored(
    championship: Championship,
    fredi: User,
    arrived: People,
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[..., Round],
) -> None:
    """The mode of the tables changes nothing in the input of a draw."""
    arrived(8)
    data = regulations.encode(load_regulations(championship))
    data["play"] = {**data["play"], "mode": "sheet" if data["play"]["mode"] != "sheet" else "transcribed"}

    def the_mode_is_changed() -> None:
        regulations_change.change_regulations(championship, data, actor=fredi)

    refuses_what_changed_meanwhile(championship, fredi, monkeypatch, the_mode_is_changed, act)
    assert not Seating.objects.exists()


def refuses_what_changed_meanwhile(
    championship: Championship,
    fredi: User,
    monkeypatch: pytest.MonkeyPatch,
    happens: Callable[[], object],
    act: Callable[..., Round] = drawing.draw_round,
) -> None:
    """Something happens while the seats are looked for."""
    compute = pairing.draw

    def and_it_happens(problem: pairing.PairingProblem) -> pairing.Draw:
        happens()
        return compute(problem)

    monkeypatch.setattr(pairing, "draw", and_it_happens)
    with pytest.raises(TournamentError) as refused:
        act(first(championship), actor=fredi)
    assert refused.value.code == "draw/changed_meanwhile"
    assert first(championship).status == Round.Status.PLANNED
    assert not Seating.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_directors_press_draw_at_once_and_one_wins(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(8)
    start = threading.Barrier(2)
    outcomes: list[str] = []

    def press() -> None:
        from django.db import connection

        try:
            start.wait()
            drawing.draw_round(first(championship), actor=fredi)
            outcomes.append("drawn")
        except TournamentError as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    directors = [threading.Thread(target=press) for _ in range(2)]
    for director in directors:
        director.start()
    for director in directors:
        director.join()
    assert sorted(outcomes) == ["draw/already_drawn", "drawn"]
    assert Seating.objects.count() == 8
    assert [type_ for type_, _ in events_of(first(championship))].count("seats_drawn") == 1


@pytest.mark.django_db(transaction=True)
def test_whoever_leaves_while_the_round_is_drawn_is_either_seated_or_gone(
    championship: Championship, fredi: User, arrived: People
) -> None:
    entry = arrived(9)[0]
    start = threading.Barrier(2)
    outcomes: list[str] = []

    def act(what: Callable[[], object]) -> None:
        from django.db import connection

        try:
            start.wait()
            what()
        except TournamentError as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=act, args=(lambda: drawing.draw_round(first(championship), actor=fredi),)),
        threading.Thread(target=act, args=(lambda: entries.withdraw_entry(entry, actor=fredi),)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entry.refresh_from_db()
    seated = Seating.objects.filter(entry=entry).exists()
    assert not (seated and entry.status == Entry.Status.WITHDRAWN)
    assert set(outcomes) <= {"entries/seated", "draw/changed_meanwhile"}


def test_rounds_are_drawn_in_their_order(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(8)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(championship.rounds.get(number=2), actor=fredi)
    assert (refused.value.code, refused.value.params["round"]) == ("draw/out_of_order", 1)


def test_three_people_are_too_few(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(3)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(first(championship), actor=fredi)
    assert refused.value.code == "draw/too_few"
    assert str(refused.value) == "People present: 3; a table needs 4."


def test_only_a_director_draws(championship: Championship, gabi: User, eva: User, arrived: People) -> None:
    arrived(8)
    for somebody in (gabi, eva):
        with pytest.raises(NotAllowed) as refused:
            drawing.draw_round(first(championship), actor=somebody)
        assert refused.value.code == "tournaments/not_allowed"


def test_a_draw_is_undone_and_drawn_anew(championship: Championship, fredi: User, arrived: People) -> None:
    arrived(16)
    round_ = drawing.draw_round(first(championship), actor=fredi)
    seats = list(Seating.objects.values_list("entry__number", flat=True))
    draw_undoing.undo_draw(round_, actor=fredi, reason="Päuli came")
    assert (round_.status, round_.drawn_cost) == (Round.Status.PLANNED, None)
    assert not Table.objects.exists()
    drawing.draw_round(round_, actor=fredi)
    assert list(Seating.objects.values_list("entry__number", flat=True)) != seats
    told = [type_ for type_, _ in events_of(round_)]
    assert told == ["seed_committed", "seats_drawn", "draw_undone", "seats_drawn"]


def test_an_open_round_can_be_drawn_anew_until_its_first_result(
    open_round: Callable[..., Round], fredi: User
) -> None:
    round_ = open_round("dealt", "sheet")
    games = list(Game.objects.values_list("pk", flat=True))
    draw_undoing.undo_draw(round_, actor=fredi, reason="wrong table")
    assert round_.status == Round.Status.PLANNED
    assert set(Game.objects.filter(pk__in=games).values_list("status", flat=True)) == {Game.Status.CLOSED}
    drawing.draw_round(round_, actor=fredi)
    assert rounds.open_round(round_, actor=fredi).status == Round.Status.OPEN


def test_a_draw_with_a_disputed_deal_stays_and_says_why(
    open_round: Callable[..., Round], fredi: User, gabi: User
) -> None:
    round_ = open_round("dealt", "dealt")
    table = round_.tables.select_related("round__championship", "game").get(number=2)
    disputes.raise_dispute(table, actor=fredi, deal=1, text="Dario hat gewunken")
    with pytest.raises(TournamentError) as refused:
        draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    assert (refused.value.code, refused.value.params["tables"]) == ("draw/disputes_exist", "2")
    assert Table.objects.filter(round=round_, game__status=Game.Status.RUNNING).count() == 2


def test_no_table_stands_after_a_draw_with_calls_and_looks_was_taken_back(
    open_round: Callable[..., Round], fredi: User, gabi: User
) -> None:
    round_ = open_round("dealt", "dealt")
    table = round_.tables.select_related("round__championship", "game").get(number=2)
    disputes.raise_dispute(table, actor=fredi, text="Wir sitzen falsch")
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    assert not Table.objects.exists()
    told = [type_ for type_, _ in events_of(round_)]
    assert {"referee_called", "draw_undone"} <= set(told)
    drawing.draw_round(round_, actor=fredi)


def test_a_planned_round_has_nothing_to_undo(championship: Championship, fredi: User) -> None:
    with pytest.raises(TournamentError) as refused:
        draw_undoing.undo_draw(first(championship), actor=fredi, reason="anew")
    assert refused.value.code == "draw/nothing_to_undo"


def test_side_constraints_are_respected(championship: Championship, fredi: User, arrived: People) -> None:
    people = arrived(12)
    entries.add_constraint(championship, "never_meet", people[2], people[3], actor=fredi)
    entries.add_constraint(championship, "never_partner", people[4], people[5], actor=fredi)
    for number in (1, 2, 3):
        round_ = drawing.draw_round(championship.rounds.get(number=number), actor=fredi)
        seats = {s.entry.number: s for s in round_.seatings.all()}
        assert seats[3].table_id != seats[4].table_id
        assert seats[5].table_id != seats[6].table_id or abs(seats[5].seat - seats[6].seat) != 2


def test_people_of_the_house_fill_the_last_table_in_turn(
    championship: Championship, fredi: User, arrived: People
) -> None:
    data = load_regulations(championship)
    changed = {"policy": "house"}
    regulations_change.change_regulations(
        championship, {**regulations.encode(data), "byes": changed}, actor=fredi
    )
    arrived(7)
    for name in ("Wirt", "Wirtin"):
        entries.add_entry(championship, actor=fredi, name=name, house=True, status="arrived")
    helpers: list[str] = []
    for number in (1, 2):
        round_ = drawing.draw_round(championship.rounds.get(number=number), actor=fredi)
        assert not round_.byes.exists()
        helpers += round_.seatings.filter(entry__house=True).values_list("entry__name", flat=True)
    assert helpers == ["Wirt", "Wirtin"]


def test_who_came_late_has_missed_a_round_and_is_last_to_sit_out(
    championship: Championship, fredi: User, open_round: Any
) -> None:
    open_round(people=8)
    rounds.close_round(first(championship), actor=fredi, force=True)
    entries.add_entry(championship, actor=fredi, name="Zu Spät", status="arrived")
    round_ = drawing.draw_round(championship.rounds.get(number=2), actor=fredi)
    [out] = round_.byes.all()
    assert out.entry.name != "Zu Spät"


def test_a_draw_made_in_the_hall_is_written_down(
    championship: Championship, fredi: User, arrived: People
) -> None:
    arrived(9)
    round_ = seating_by_hand.seat_by_hand(first(championship), [[8, 7, 6, 5], [1, 2, 3, 4]], actor=fredi)
    assert list(round_.seatings.values_list("entry__number", flat=True)) == [8, 7, 6, 5, 1, 2, 3, 4]
    assert [s.entry.number for s in round_.byes.all()] == [9]
    assert events_of(round_)[-1][1]["algorithm"] == "by hand"


def test_a_draw_by_hand_is_compared_with_the_one_by_the_regulations(
    championship: Championship, fredi: User, arrived: People
) -> None:
    """The second round brings the same people together as the first."""
    arrived(8)
    tables = [[1, 2, 3, 4], [5, 6, 7, 8]]
    notes = []
    for number in (1, 2):
        round_ = seating_by_hand.seat_by_hand(championship.rounds.get(number=number), tables, actor=fredi)
        cost = events_of(round_)[-1][1]["cost"]
        assert cost == round_.drawn_cost
        notes += cost.pop("notes")
        if number == 1:
            rounds.open_round(round_, actor=fredi)
            rounds.close_round(round_, actor=fredi, force=True)
            assert not any(cost.values())
    assert (cost["partner_repeats"], cost["opponent_repeats"], cost["meeting_repeats"]) == (4, 8, 12)
    assert [(note["code"], note["tables"], note["here"]) for note in notes] == [
        ("pairing/by_hand", 2, 0),
        ("pairing/by_hand", 2, 12),
    ]
    assert notes[1]["own"] < 12
    assert notes[1]["alike"] == 0
    draw_undoing.undo_draw(round_, actor=fredi)
    entries.add_entry(championship, actor=fredi, name="Wirt", status="arrived", house=True)
    with_house = [[1, 2, 3, 9], [5, 6, 7, 8]]
    round_ = seating_by_hand.seat_by_hand(championship.rounds.get(number=2), with_house, actor=fredi)
    assert round_.drawn_cost == {}


@pytest.mark.parametrize(
    ("tables", "code"),
    [([[1, 2, 3]], "draw/table_size"), ([[1, 2, 3, 99]], "draw/seat"), ([[1, 2, 3, 3]], "draw/seat")],
)
def test_a_draw_by_hand_that_makes_no_sense_is_refused(
    championship: Championship, fredi: User, arrived: People, tables: list[list[int]], code: str
) -> None:
    arrived(4)
    with pytest.raises(TournamentError) as refused:
        seating_by_hand.seat_by_hand(first(championship), tables, actor=fredi)
    assert refused.value.code == code
    assert first(championship).status == Round.Status.PLANNED


def test_drawing_asks_the_database_a_fixed_number_of_times(
    championship: Championship, fredi: User, arrived: People, django_assert_max_num_queries: Any
) -> None:
    arrived(20)
    with django_assert_max_num_queries(41):
        drawing.draw_round(first(championship), actor=fredi)
