"""People who come late, are kept apart, leave after the draw, or are forgotten."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from games import store
from games.models import Game, User
from games.play.submit import submit
from tests.frontend.evening import client, html
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round, SideConstraint, Table
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import (
    draw_checks,
    drawing,
    late_people,
    left_over,
    seating_by_hand,
    seed_audit,
    substitutions,
)
from tournaments.services.entries import entries, pair_lines, teams
from tournaments.services.money import fees, till_shifts
from tournaments.services.rounds import rounds

People = Callable[[int], list[Entry]]


@pytest.fixture
def ten(arrived: People, championship: Championship, fredi: User) -> Round:
    """Ten people at two tables: two have byes."""
    arrived(10)
    return drawing.draw_round(championship.rounds.get(number=1), actor=fredi)


def late(championship: Championship, fredi: User, *names: str) -> list[Entry]:
    return [entries.add_entry(championship, actor=fredi, name=name, status="arrived") for name in names]


def test_two_who_come_late_make_a_table_with_the_two_who_sit_out(
    ten: Round, championship: Championship, fredi: User
) -> None:
    assert late_people.propose_table(ten) is None, "nobody has come"
    newcomers = late(championship, fredi, "Zita", "Zeno")
    offered = late_people.propose_table(ten)
    assert offered is not None
    assert (offered.number, list(offered.late), len(offered.out)) == (3, newcomers, 2)

    table = late_people.add_table(ten, [entry.number for entry in offered.people], actor=fredi)

    assert {seating.entry for seating in table.seatings.all()} == set(offered.people)
    assert not ten.byes.exists()
    ten.refresh_from_db()
    assert list(row_audit.find_round_differences(ten, store.read(ten.stream_id, parts=False))) == []
    with pytest.raises(TournamentError) as refused:
        late_people.add_table(ten, [entry.number for entry in offered.people], actor=fredi)
    assert refused.value.code == "chairs/no_new_table"


def test_a_late_pair_sits_across_at_the_new_table(fredi: User) -> None:
    made = championships.create(actor=fredi, name="Paare", slug="paare", preset="partnerschieber")
    text = "\n".join(f"Anna {n} Ammann / Beat {n} Bühler" for n in range(1, 6))
    pair_lines.enter_lines(made, text, status="arrived", actor=fredi)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    assert round_.byes.count() == 2
    pair_lines.enter_lines(made, "Zita Zaugg / Zeno Zimmer", status="arrived", actor=fredi)
    offered = late_people.propose_table(round_)
    assert offered is not None
    table = late_people.add_table(round_, [entry.number for entry in offered.people], actor=fredi)
    by_seat = [seating.entry.entrant_id for seating in table.seatings.order_by("seat")]
    assert by_seat[0] == by_seat[2] != by_seat[1] == by_seat[3]


def test_a_draw_by_hand_that_forgets_a_table_is_asked_about(
    arrived: People, championship: Championship, fredi: User
) -> None:
    arrived(9)
    round_ = championship.rounds.get(number=1)
    with pytest.raises(TournamentError) as refused:
        seating_by_hand.seat_by_hand(round_, [[1, 2, 3, 4]], actor=fredi)
    assert refused.value.code == "draw/table_forgotten"
    assert "5 Elsbeth" in str(refused.value)
    round_.refresh_from_db()
    assert round_.status == Round.Status.PLANNED
    seating_by_hand.seat_by_hand(round_, [[1, 2, 3, 4]], actor=fredi, byes_confirmed=True)
    assert round_.byes.count() == 5


def test_wishes_that_a_draw_does_not_keep_are_named(
    arrived: People, championship: Championship, fredi: User
) -> None:
    one, _two, three, four = arrived(4)
    entries.add_constraint(championship, SideConstraint.Kind.NEVER_MEET, one, four, actor=fredi)
    entries.add_constraint(championship, SideConstraint.Kind.NEVER_PARTNER, one, three, actor=fredi)
    round_ = seating_by_hand.seat_by_hand(championship.rounds.get(number=1), [[1, 2, 3, 4]], actor=fredi)
    assert [
        (wish.one, wish.other, wish.table, wish.never_meet)
        for wish in draw_checks.list_unkept_wishes(round_, load_regulations(round_.championship))
    ] == [
        (one.name, four.name, 1, True),
        (one.name, three.name, 1, False),
    ]
    page = html(client("fredi").get(reverse("round", args=[championship.slug, 1])))
    assert f"{one.name} and {four.name} sit together at table 1 but should never meet." in page


def test_who_is_marked_as_not_here_and_has_a_seat_is_said_to(
    ten: Round, championship: Championship, fredi: User
) -> None:
    seating = ten.seatings.order_by("table__number", "seat").select_related("entry", "table").first()
    assert seating is not None
    act = reverse("entry_act", args=[championship.slug, seating.entry.number, "leave"])
    answer = html(client("fredi").post(act, follow=True))
    assert "Who sits there instead?" in answer
    assert f"{seating.entry.name} sits at table 1 of round 1." in answer
    assert [(one.name, one.table) for one in draw_checks.seated_absent(ten)] == [(seating.entry.name, 1)]
    page = html(client("fredi").get(reverse("round", args=[championship.slug, 1])))
    assert f"{seating.entry.name} is seated at table 1 but marked as not here." in page


def test_a_substitute_stands_in_for_one_seat_only(ten: Round, fredi: User) -> None:
    one, other = ten.seatings.filter(table__number=1, seat__in=(0, 1)).order_by("seat")
    for seating in (one, other):
        entries.leave(seating.entry, actor=fredi)
    rounds.set_mode(one.table, "sheet", actor=fredi)
    rounds.open_round(ten, actor=fredi)
    spare = ten.byes.order_by("pk")[0].entry
    substitutions.substitute(ten, spare.number, one.entry.number, actor=fredi)
    assert [found.name for found in draw_checks.seated_absent(ten)] == [other.entry.name]


def test_people_kept_apart_are_no_partners_at_an_added_table(
    arrived: People, championship: Championship, fredi: User
) -> None:
    data = {
        **regulations.encode(load_regulations(championship)),
        "teams": {"size": 2, "best": 2, "apart": "never_partner"},
    }
    regulations_change.change_regulations(championship, data, actor=fredi)
    arrived(4)
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    people = late(championship, fredi, "Ueli Uhr", "Willi Wyss", "Vreni Vogt", "Xeni Xander")
    teams.join_several(championship, {"A": people[:2], "B": people[2:]}, actor=fredi)
    table = late_people.add_table(round_, [one.number for one in people], actor=fredi)
    by_seat = list(table.seatings.order_by("seat").values_list("entry__team__name", flat=True))
    assert sorted(by_seat) == ["A", "A", "B", "B"]
    assert by_seat[0] != by_seat[2]


@pytest.mark.parametrize(
    ("guests", "house", "policy", "way"),
    [
        (19, 1, "sit_out", "house"),
        (19, 1, "house", "house"),
        (18, 1, "house", "sit_out"),
        (18, 0, "sit_out", "sit_out"),
    ],
)
def test_every_page_proposes_the_same_for_who_does_not_fill_a_table(
    arrived: People, championship: Championship, fredi: User, guests: int, house: int, policy: str, way: str
) -> None:
    data = {**regulations.encode(load_regulations(championship)), "byes": {"policy": policy}}
    regulations_change.change_regulations(championship, data, actor=fredi)
    arrived(guests)
    for n in range(house):
        entries.add_entry(championship, actor=fredi, name=f"Wirt {n}", house=True, status="arrived")
    gap = left_over.count_gap(championship)
    assert gap.proposed is not None
    assert gap.proposed.way == way
    page = html(client("fredi").get(reverse("round", args=[championship.slug, 1])))
    assert f'value="{way}" checked' in page
    overview = html(client("fredi").get(reverse("championship", args=[championship.slug])))
    assert ("no byes" in overview) is (way == "house")
    round_ = drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    assert round_.byes.count() == gap.proposed.out


def test_closing_says_what_money_is_open(championship: Championship, fredi: User, arrived: People) -> None:
    fees.set_fees(championship, [fees.Price("Startgeld", 2000)], actor=fredi)
    arrived(2)
    till_shifts.open_till(championship, actor=fredi)
    Championship.objects.filter(pk=championship.pk).update(status=Championship.Status.RUNNING)
    championship.rounds.update(status=Round.Status.CLOSED)
    for name in ("championship_end", "championship"):
        page = html(client("fredi").get(reverse(name, args=[championship.slug])))
        assert "2 people who are or were here have not paid: CHF 40.–." in page
        assert "A till is still open: " in page


def test_only_the_first_opening_is_said_to_fix_the_regulations(
    ten: Round, championship: Championship, fredi: User
) -> None:
    page = reverse("round", args=[championship.slug, ten.number])
    said = "The regulations are fixed with this first opening."
    assert said in html(client("fredi").get(page))
    Championship.objects.filter(pk=championship.pk).update(status=Championship.Status.RUNNING)
    assert said not in html(client("fredi").get(page))


def agrees(round_: Round) -> None:
    round_.refresh_from_db()
    assert list(row_audit.find_round_differences(round_, store.read(round_.stream_id, parts=False))) == []


@pytest.mark.parametrize("mode", ["sheet", "transcribed", "dealt"])
def test_a_table_is_added_to_an_open_round_and_plays_like_the_others(
    mode: str, ten: Round, championship: Championship, fredi: User
) -> None:
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(
        championship, {**data, "play": {**data["play"], "mode": mode}}, actor=fredi
    )
    for table in ten.tables.all():
        rounds.set_mode(table, mode, actor=fredi)
    rounds.open_round(ten, actor=fredi)
    ten.championship.refresh_from_db()
    assert late_people.propose_table(ten) is None, "nobody has come"
    late(championship, fredi, "Zita", "Zeno")
    page = reverse("round", args=[championship.slug, 1])
    assert "Make table 3" in html(client("fredi").get(page))
    offered = late_people.propose_table(ten)
    assert offered is not None
    numbers = [entry.number for entry in offered.people]
    where = reverse("round_stand_in", args=[championship.slug, 1])
    assert client("fredi").post(where, {"new_table": numbers}).status_code == 302

    table = ten.tables.select_related("game").get(number=3)
    assert table.game is not None
    assert (table.game.mode, table.game.seat_count, table.game.number) == (mode, 4, 3)
    assert not ten.byes.exists()
    assert [event.type for event in store.read(ten.stream_id)][-1] == "table_opened"
    agrees(ten)
    shown = html(client("fredi").get(page))
    assert "Table 3: late arrivals sat down after the opening." in shown
    assert "Make table" not in shown
    assert (len(store.read(table.game.pk)) > 1) is (mode == "dealt"), "its cards lie there"
    assert list(seed_audit.remake_round(ten.stream_id).differences) == []


@pytest.fixture
def threes(fredi: User) -> Round:
    """Seven at Differenzler on paper, in an open round: a table of four and one of three."""
    made = championships.create(actor=fredi, name="Differenzler", slug="diff", preset="differenzler")
    names = [entries.NewEntry(f"Anna {n}", status="arrived") for n in range(7)]
    entries.add_entries(made, names, actor=fredi)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi, left_over="three")
    for table in round_.tables.all():
        rounds.set_mode(table, "sheet", actor=fredi)
    return rounds.open_round(round_, actor=fredi)


def of_three(round_: Round) -> Table:
    return next(table for table in round_.tables.all() if table.seatings.count() == 3)


def test_one_who_comes_late_sits_down_at_an_open_table_of_three_by_one_press(
    threes: Round, fredi: User
) -> None:
    made, table = threes.championship, of_three(threes)
    before = table.game
    assert before is not None
    zita = entries.add_entry(made, actor=fredi, name="Zita", status="arrived")
    press = f"Zita sits down at table {table.number}"
    page = reverse("round", args=[made.slug, 1])
    assert press in html(client("fredi").get(page))
    answer = client("fredi").post(
        reverse("round_stand_in", args=[made.slug, 1]), {"table": table.number, "player": zita.number}
    )
    assert answer.status_code == 302

    table.refresh_from_db()
    assert table.game is not None
    assert (table.game.seat_count, table.seatings.get(seat=3).entry) == (4, zita)
    assert table.game.options["deals"] == load_regulations(made).deals
    before.refresh_from_db()
    assert before.status == Game.Status.CLOSED
    agrees(threes)
    shown = html(client("fredi").get(page))
    assert f"Table {table.number}: late arrivals sat down" in shown
    assert press not in shown
    wall = html(client("fredi").get(reverse("round_wall", args=[made.slug, 1])))
    assert "Zita" in wall
    assert f"Table {table.number}: late arrivals sat down" in wall


def test_nobody_joins_a_table_at_which_something_is_written(threes: Round, fredi: User) -> None:
    table = of_three(threes)
    zita = entries.add_entry(threes.championship, actor=fredi, name="Zita", status="arrived")
    command = {
        "cmd": "enter_result",
        "seat": 0,
        "deal": 1,
        "card_points": [57, 60, 40],
        "predictions": [57, 60, 40],
    }
    submit(str(table.game_id), command, actor=table_play.refs(table)[0], command_id="enter")
    assert late_people.list_joinable_tables(threes) == []
    with pytest.raises(TournamentError) as refused:
        late_people.join_table(threes, zita.number, table.number, actor=fredi)
    assert refused.value.code == "chairs/table_open"
    page = html(client("fredi").get(reverse("round", args=[threes.championship.slug, 1])))
    assert "Zita sits down at table" not in page


def test_nobody_sits_down_late_once_the_sealed_number_is_public(threes: Round, fredi: User) -> None:
    rounds.close_round(threes, actor=fredi, force=True)
    rounds.reopen_round(threes, actor=fredi, reason="a sheet was forgotten")
    zita = entries.add_entry(threes.championship, actor=fredi, name="Zita", status="arrived")
    with pytest.raises(TournamentError) as refused:
        late_people.join_table(threes, zita.number, of_three(threes).number, actor=fredi)
    assert refused.value.code == "chairs/number_public"
    late(threes.championship, fredi, "Zeno", "Zora", "Zoé")
    assert late_people.propose_table(threes) is None


def test_who_plays_for_another_makes_no_new_table(
    ten: Round, championship: Championship, fredi: User
) -> None:
    zita, _zeno = late(championship, fredi, "Zita", "Zeno")
    rounds.set_mode(ten.tables.get(number=1), "sheet", actor=fredi)
    seating = ten.seatings.select_related("entry").get(table__number=1, seat=0)
    substitutions.substitute(ten, zita.number, seating.entry.number, actor=fredi)
    assert late_people.propose_table(ten) is None
