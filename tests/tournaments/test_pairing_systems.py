"""Rounds of a championship drawn by a pairing system of its regulations."""

import pytest

from games import store
from games.models import User
from tests.tournaments import playing
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round
from tournaments.presets import PRESETS
from tournaments.services import championships, rounds
from tournaments.services.audit import row_audit
from tournaments.services.draw import drawing, fairness
from tournaments.services.entries import entries, pairs

pytestmark = pytest.mark.django_db


def evening(fredi: User, system: str, count: int, *, held: int = 3, **options: object) -> Championship:
    """Make a Partnerschieber of `count` pairs that are here, drawn by this system."""
    made = championships.create(
        actor=fredi,
        name="Partnerschieber",
        preset="partnerschieber",
        changes={
            "rounds": held,
            "deals": 1,
            "hand_in": "deals",
            "pairing": {"system": system, "options": options},
        },
    )
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, 2 * count + 1)]
    there = entries.add_entries(made, wanted, actor=fredi)
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    return made


def play(made: Championship, number: int, fredi: User) -> Round:
    """Draw, open, write and close a round: the first side of table t gets 100 + t points."""
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        playing.write_sheet(table, [100 + table.number])
    return rounds.close_round(round_, actor=fredi)


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
        assert fairness.remake_round(played.stream_id).differences == ()
    met = meetings(made)
    assert len(met) == 8
    assert len(set(met)) == 8, "a pair has met an opponent twice"
    byes = [bye.entry.entrant_id for round_ in made.rounds.all() for bye in round_.sit_outs.all()]
    assert len(set(byes)) == 4
    made.refresh_from_db()
    assert list(row_audit.championship_differences(made, store.read(made.stream_id))) == []


def test_a_draw_by_a_system_can_be_undone_and_is_drawn_anew(fredi: User) -> None:
    made = evening(fredi, "fixed_pairs", 6)
    first = made.rounds.get(number=1)
    drawing.draw_round(first, actor=fredi)
    before = meetings(made)
    drawing.undo_draw(first, actor=fredi)
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
        regulations.decode({**held, "pairing": pairing, "play": {**held["play"], "format": format_}})
    assert refused.value.code == "regulations/pairing"


def test_the_plan_of_the_first_round_holds_for_all(fredi: User) -> None:
    made = championships.create(
        actor=fredi,
        name="Whist",
        preset="einzelschieber",
        changes={"rounds": 7, "deals": 1, "hand_in": "deals", "pairing": {"system": "whist"}},
    )
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(8)]
    entries.add_entries(made, people, actor=fredi)
    partners = []
    for number in range(1, 8):
        for table in play(made, number, fredi).tables.all():
            seats = playing.refs(table)
            partners += [frozenset(seats[0::2]), frozenset(seats[1::2])]
    assert len(set(partners)) == len(partners) == 28, "somebody has had a partner twice"
