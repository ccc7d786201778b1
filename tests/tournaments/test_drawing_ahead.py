"""All rounds drawn before the first card, and those to come drawn again, each in one press."""

import pytest

from games import store
from games.models import User
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round
from tournaments.presets import PRESETS
from tournaments.regulations import encode
from tournaments.services.championships import championships
from tournaments.services.draw import draw_undoing, drawing_ahead
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def make(
    fredi: User, people: int = 8, preset: str = "einzelschieber_at_start", count: int = 3
) -> Championship:
    changes = {"rounds": count, "deals": 1, "hand_in": "deals"}
    made = championships.create(actor=fredi, name="Start", slug="start", preset=preset, changes=changes)
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(people)]
    entries.add_entries(made, wanted, actor=fredi)
    return made


def partners(made: Championship) -> list[frozenset[int]]:
    found = []
    for round_ in made.rounds.order_by("number"):
        for table in round_.tables.order_by("number"):
            seats = list(table.seatings.order_by("seat").values_list("entry__number", flat=True))
            found += [frozenset(seats[0::2]), frozenset(seats[1::2])]
    return found


def test_all_rounds_are_drawn_in_one_press_and_nobody_has_a_partner_twice(fredi: User) -> None:
    made = make(fredi)

    drawn = drawing_ahead.draw_ahead(made, actor=fredi)

    assert [round_.number for round_ in drawn] == [1, 2, 3]
    assert set(made.rounds.values_list("status", flat=True)) == {Round.Status.DRAWN}
    assert len(partners(made)) == len(set(partners(made))) == 12
    with pytest.raises(TournamentError) as refused:
        drawing_ahead.draw_ahead(made, actor=fredi)
    assert refused.value.code == "draw/nothing_planned"


def test_nothing_is_drawn_where_a_round_cannot_be(fredi: User) -> None:
    made = make(fredi, people=3)
    with pytest.raises(TournamentError):
        drawing_ahead.draw_ahead(made, actor=fredi)
    assert set(made.rounds.values_list("status", flat=True)) == {Round.Status.PLANNED}
    assert not made.rounds.exclude(draws=0).exists()


def test_the_rounds_to_come_are_drawn_again_with_a_reason(fredi: User) -> None:
    made = make(fredi)
    drawing_ahead.draw_ahead(made, actor=fredi)
    rounds.open_round(made.rounds.get(number=1), actor=fredi)
    entries.add_entries(
        made,
        [entries.NewEntry(f"Late {n}", status=Entry.Status.ARRIVED) for n in range(4)],
        actor=fredi,
    )
    for reason in ("", "  "):
        with pytest.raises(TournamentError) as refused:
            drawing_ahead.redraw_rounds_to_come(made, actor=fredi, reason=reason)
        assert refused.value.code == "draw/reason_needed"

    again = drawing_ahead.redraw_rounds_to_come(made, actor=fredi, reason="Four came late")

    assert [(round_.number, round_.draws) for round_ in again] == [(2, 2), (3, 2)]
    assert made.rounds.get(number=1).draws == 1
    assert {round_.tables.count() for round_ in again} == {3}
    undone = [e.body for e in store.read(again[0].stream_id, parts=False) if e.type == "draw_undone"]
    assert undone == [{"draw": 1, "reason": "Four came late"}]


def test_a_draw_from_which_a_later_one_follows_is_not_undone(fredi: User) -> None:
    made = make(fredi)
    drawing_ahead.draw_ahead(made, actor=fredi)
    with pytest.raises(TournamentError) as refused:
        draw_undoing.undo_draw(made.rounds.get(number=2), actor=fredi)
    assert (refused.value.code, refused.value.params["round"]) == ("draw/later_drawn", 3)
    draw_undoing.undo_draw(made.rounds.get(number=3), actor=fredi)
    draw_undoing.undo_draw(made.rounds.get(number=2), actor=fredi)


@pytest.mark.parametrize("preset", ["klubabend", "swiss_pairs", "cup", "ladder"])
def test_what_is_drawn_round_by_round_is_not_drawn_ahead(fredi: User, preset: str) -> None:
    made = championships.create(actor=fredi, name="X", preset=preset)
    with pytest.raises(TournamentError) as refused:
        drawing_ahead.draw_ahead(made, actor=fredi)
    assert refused.value.code == "draw/not_ahead"
    with pytest.raises(TournamentError) as refused:
        drawing_ahead.redraw_rounds_to_come(made, actor=fredi, reason="So")
    assert refused.value.code == "draw/not_ahead"


def test_only_the_director_draws_ahead(fredi: User, gabi: User) -> None:
    made = make(fredi)
    with pytest.raises(TournamentError):
        drawing_ahead.draw_ahead(made, actor=gabi)


def test_the_regulations_say_when_and_old_ones_keep_their_bytes() -> None:
    assert encode(PRESETS["einzelschieber_at_start"])["pairing"] == {
        "system": "drawn",
        "options": {"when": "at_start"},
    }
    assert "pairing" not in encode(PRESETS["einzelschieber"])
