"""The championship of a final: start ranks, pairs, people of two heats, and a later correction."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from games.models import User
from tests.tournaments.test_club_series import new_series
from tournaments import bracket
from tournaments.models import Championship, ClubSeries, Entry, Person, StandingsSnapshot
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds
from tournaments.services.series import editing
from tournaments.services.series.finals import compare_final, make_final
from tournaments.services.series.loading import load_series
from tournaments.standings import RankingRow, RoundScore

pytestmark = pytest.mark.django_db
Line = tuple[str, str, int]
HEAT: tuple[Line, ...] = (
    *(("Ada A", "Beat B", 900), ("Cleo C", "Dario D", 880), ("Elin E", "Flora F", 870)),
    *(("Gian G", "Heidi H", 860), ("Ida I", "Jan J", 850)),
)


@pytest.fixture
def founder(user: Callable[[str], User]) -> User:
    made = user("Fredi")
    made.may_found = True
    made.save(update_fields=["may_found"])
    return made


def publish(made: Championship, lines: Sequence[Line]) -> None:
    """Publish a ranking of pairs; those of equal totals share a place."""
    number = dict(made.entries.values_list("name", "number"))
    totals = [total for _one, _other, total in lines]
    rows = [
        RankingRow(
            place=1 + sum(other > total for other in totals),
            shared=totals.count(total) > 1,
            key=min(number[one], number[other]),
            total=total,
            sweeps=0,
            rounds=(RoundScore(1, total, 0, True, True),),
            members=(number[one], number[other]),
        )
        for one, other, total in sorted(lines, key=lambda line: -line[2])
    ]
    StandingsSnapshot.objects.create(
        championship=made,
        after_round=1,
        version=made.snapshots.count() + 1,
        rows=msgspec.to_builtins(rows),
        reason="round",
    )


def heat(fredi: User, name: str, lines: Sequence[Line]) -> Championship:
    made = championships.create(actor=fredi, name=name, preset="partnerschieber")
    for one, other, _total in lines:
        both = entries.add_entries(made, [entries.NewEntry(one), entries.NewEntry(other)], actor=fredi)
        pairs.pair_up(made, [(both[0], both[1])], actor=fredi)
    publish(made, lines)
    made.status = Championship.Status.FINISHED
    made.save(update_fields=["status"])
    return made


def heats(fredi: User, *of: Sequence[Line], count: int) -> ClubSeries:
    series = new_series(fredi, "preliminary")
    for at, lines in enumerate(of, 1):
        editing.add_event(series, championship=heat(fredi, f"Vorrunde {at}", lines), actor=fredi)
    editing.set_numbers(series, best=None, least=None, steps=[count], actor=fredi, reason="Beschluss")
    return series


def ranked_pairs(made: Championship) -> dict[frozenset[str], int | None]:
    """The pairs of a championship, with their start ranks."""
    found = {}
    for entrant in made.entrants.all():
        members = list(Entry.objects.filter(entrant=entrant))
        [rank] = {one.start_rank for one in members}
        found[frozenset(one.name for one in members)] = rank
    return found


def test_the_best_pairs_enter_a_knock_out_with_their_order_as_start_ranks(founder: User) -> None:
    series = heats(founder, HEAT, count=4)

    made = make_final(series, actor=founder, name="Viertelfinal", preset="cup")

    assert ranked_pairs(made) == {frozenset(line[:2]): rank for rank, line in enumerate(HEAT[:4], 1)}
    Entry.objects.filter(championship=made).update(status=Entry.Status.ARRIVED)
    first = made.rounds.get(number=1)
    drawing.draw_round(first, actor=founder)
    met = {frozenset(s.entry.start_rank for s in table.seatings.all()) for table in first.tables.all()}
    assert met == {frozenset({1, 4}), frozenset({2, 3})}, "seeds 1 and 2 meet in the final only"
    assert bracket.KNOCK_OUT == "knock_out"


def test_pairs_enter_a_final_of_single_people_alone(founder: User) -> None:
    series = heats(founder, HEAT, count=2)
    made = make_final(series, actor=founder, name="Final", preset="klubabend")
    assert made.entries.count() == 4
    assert not made.entrants.exists()
    assert {one.start_rank for one in made.entries.all()} == {1, 2}


def test_somebody_of_two_heats_plays_once_with_the_partner_of_the_better_one(founder: User) -> None:
    second = (("Ada A", "Kim K", 950), ("Lea L", "Max M", 840), ("Ida I", "Nina N", 830))
    series = heats(founder, HEAT[:3], second, count=3)

    made = make_final(series, actor=founder, name="Final", preset="cup")

    assert made.entries.filter(name="Ada A").count() == 1
    assert ranked_pairs(made)[frozenset({"Ada A", "Kim K"})] == 1
    beat = made.entries.get(name="Beat B")
    assert beat.entrant is None, "whoever is left of a pair stands there without a partner"


def test_a_later_correction_shows_what_it_would_change_and_redraws_nothing(founder: User) -> None:
    series = heats(founder, HEAT, count=4)
    made = make_final(series, actor=founder, name="Final", preset="cup")
    assert compare_final(load_series(series)) == []
    Entry.objects.filter(championship=made).update(status=Entry.Status.ARRIVED)
    rounds_before = made.rounds.get(number=1)
    drawing.draw_round(rounds_before, actor=founder)
    rounds.open_round(rounds_before, actor=founder)
    seats = list(rounds_before.tables.values_list("seatings__entry__name", flat=True).order_by("pk"))

    preliminary = Championship.objects.get(name="Vorrunde 1")
    publish(preliminary, [(*HEAT[4][:2], 910), *HEAT[:4]])

    loaded = load_series(series)
    changes = {
        frozenset(loaded.persons[ref].names.running for ref in one.refs): (one.before, one.now)
        for one in compare_final(loaded)
    }
    assert changes == {
        frozenset({"Ida I", "Jan J"}): (None, 1),
        frozenset({"Ada A", "Beat B"}): (1, 2),
        frozenset({"Cleo C", "Dario D"}): (2, 3),
        frozenset({"Elin E", "Flora F"}): (3, 4),
        frozenset({"Gian G", "Heidi H"}): (4, None),
    }
    assert ranked_pairs(made) == {frozenset(line[:2]): rank for rank, line in enumerate(HEAT[:4], 1)}
    assert seats == list(rounds_before.tables.values_list("seatings__entry__name", flat=True).order_by("pk"))
    publish(preliminary, HEAT)
    assert compare_final(load_series(series)) == []
    assert Person.objects.filter(club=series.club).count() == 10
