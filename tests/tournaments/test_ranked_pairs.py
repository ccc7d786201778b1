"""Championships with fixed partners draw and rank pairs: one line, points counted once."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from games import store
from games.models import User
from tests.tournaments import table_play
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entrant, Entry, Round, SideConstraint
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships
from tournaments.services.draw import draw_undoing, drawing, seating_by_hand, substitutions
from tournaments.services.entries import entries, former_pairs, pairs
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports, published_ranking, ranking_basis, tie_break_draws
from tournaments.standings import RankingRow

pytestmark = pytest.mark.django_db
Evening = Callable[..., Championship]


@pytest.fixture
def evening(fredi: User) -> Evening:
    """A Partnerschieber with so many people who are there, 1 with 2, 3 with 4 and so on."""

    def make(people: int, *, held: int = 3, paired: bool = True) -> Championship:
        changes = {"rounds": held, "deals": 1, "hand_in": "deals"}
        made = championships.create(
            actor=fredi, name="Partnerschieber", preset="partnerschieber", changes=changes
        )
        wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, people + 1)]
        there = entries.add_entries(made, wanted, actor=fredi)
        if paired:
            pairs.pair_up(made, zip(there[::2], there[1::2], strict=False), actor=fredi)
        return made

    return make


def person(made: Championship, number: int) -> Entry:
    return made.entries.get(number=number)


def play(made: Championship, number: int, fredi: User) -> Round:
    """A round drawn, opened, written and closed: table t gives its first side 100 + t."""
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [100 + table.number])
    return rounds.close_round(round_, actor=fredi)


def row_of(made: Championship, number: int) -> RankingRow:
    """The row of an entry; of several the best."""
    return next(row for row in ranking_basis.live_ranking(made) if number in row.numbers)


def told(made: Championship) -> list[str]:
    return [event.type for event in store.read(made.stream_id) if event.type.startswith("entrant")]


def differences(made: Championship) -> list[str]:
    made.refresh_from_db()
    return list(row_audit.find_championship_differences(made, store.read(made.stream_id)))


def test_twelve_pairs_have_twelve_lines_and_never_meet_an_opponent_twice(
    evening: Evening, fredi: User
) -> None:
    made = evening(24, held=5)
    met: Counter[frozenset[int]] = Counter()
    for number in range(1, 6):
        for table in play(made, number, fredi).tables.all():
            one, other, third, fourth = table.seatings.order_by("seat").values_list(
                "entry__entrant__number", flat=True
            )
            assert (one, other) == (third, fourth)
            met[frozenset((one, other))] += 1
    assert set(met.values()) == {1}
    assert len(met) == 30
    rows = published_ranking.decode_rows(made.snapshots.get(version=5))
    assert sorted(row.key for row in rows) == list(range(1, 24, 2))
    assert all(row.members == (row.key, row.key + 1) for row in rows)
    assert [row.place for row in rows if not row.shared] == [
        at for at, row in enumerate(rows, 1) if not row.shared
    ]
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    assert sum(row.total for row in rows) == 5 * 6 * 157


def test_a_pair_that_sits_out_has_the_average_once_and_nobody_sits_out_twice(
    evening: Evening, fredi: User
) -> None:
    made = evening(26)
    out = []
    for number in (1, 2, 3):
        round_ = play(made, number, fredi)
        [pair] = {out.entry.entrant for out in round_.byes.select_related("entry__entrant")}
        out.append(pair)
        assert pair is not None
        row = row_of(made, pair.number)
        [given] = [r for r in row.rounds if r.round == number]
        assert (given.points, given.played) == (Fraction(157, 2), False)
    assert len(set(out)) == 3


def test_a_ranking_says_who_stands_in_a_line_and_others_keep_their_bytes(
    evening: Evening, fredi: User, championship: Championship, arrived: Callable[[int], list[Entry]]
) -> None:
    made = evening(8)
    play(made, 1, fredi)
    assert all(row["members"] == [row["key"], row["key"] + 1] for row in made.snapshots.get().rows)
    arrived(8)
    assert [row.members for row in ranking_basis.live_ranking(championship) if row.members] == []
    published_ranking.publish(championship, reason="test")
    assert all("members" not in row for row in championship.snapshots.get().rows)


def test_a_partner_who_leaves_gives_his_place_to_somebody_and_the_pair_keeps_its_points(
    evening: Evening, fredi: User
) -> None:
    made = evening(8)
    play(made, 1, fredi)
    before = row_of(made, 1)
    entries.withdraw_entry(person(made, 1), actor=fredi)
    assert pairs.list_unpaired(made) == [person(made, 2)]
    newcomer = entries.add_entry(made, actor=fredi, name="Person 9", status=Entry.Status.ARRIVED)
    pairs.pair(newcomer, person(made, 2), actor=fredi)
    play(made, 2, fredi)
    after = row_of(made, 9)
    assert (after.key, after.members) == (1, (1, 2, 9))
    assert after.rounds[0] == before.rounds[0]
    assert len(after.rounds) == 2
    assert len(ranking_basis.live_ranking(made)) == 4
    assert told(made)[-1] == "entrant_joined"
    assert differences(made) == []
    with pytest.raises(TournamentError) as refused:
        entries.reinstate(person(made, 1), actor=fredi)
    assert refused.value.code == "pairs/place_taken"
    assert b"Person 1 / Person 2 / Person 9" in exports.export(made, "standings", "csv", actor=fredi).data


def test_a_pair_that_has_gone_stays_in_the_ranking_with_what_it_has(evening: Evening, fredi: User) -> None:
    made = evening(12)
    play(made, 1, fredi)
    pairs.apply_to_pair(entries.withdraw_entry, person(made, 3), actor=fredi)
    assert {e.number for e in made.entries.filter(status=Entry.Status.WITHDRAWN)} == {3, 4}
    play(made, 2, fredi)
    row = row_of(made, 4)
    assert (row.members, len(row.rounds)) == ((3, 4), 1)


def test_somebody_left_alone_is_named_and_nothing_is_drawn(evening: Evening, fredi: User) -> None:
    made = evening(12)
    entries.leave(person(made, 2), actor=fredi)
    entries.withdraw_entry(person(made, 8), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    assert refused.value.code == "draw/no_partner"
    assert (refused.value.params["names"], refused.value.params["count"]) == ("Person 1, Person 7", 2)
    assert made.rounds.get(number=1).status == Round.Status.PLANNED


def test_a_pair_that_has_played_is_not_parted_and_nobody_plays_for_two(evening: Evening, fredi: User) -> None:
    made = evening(8)
    play(made, 1, fredi)
    refusals = []
    for other in (None, person(made, 9) if made.entries.filter(number=9).exists() else None):
        with pytest.raises(TournamentError) as refused:
            pairs.pair(person(made, 1), other, actor=fredi)
        refusals.append(refused.value.code)
    entries.withdraw_entry(person(made, 1), actor=fredi)
    entries.withdraw_entry(person(made, 3), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        pairs.pair(person(made, 2), person(made, 4), actor=fredi)
    assert [*refusals, refused.value.code] == ["pairs/played", "pairs/played", "pairs/both_played"]
    assert told(made) == ["entrant_formed"] * 4


def test_a_pair_that_is_seated_is_not_parted_before_its_draw_is_taken_back(
    evening: Evening, fredi: User
) -> None:
    made = evening(8)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    with pytest.raises(TournamentError) as refused:
        pairs.pair(person(made, 1), None, actor=fredi)
    assert refused.value.code == "pairs/seated"
    draw_undoing.undo_draw(round_, actor=fredi, reason="anew")
    pairs.pair(person(made, 1), None, actor=fredi)
    assert told(made)[-1] == "entrant_parted"
    assert differences(made) == []


def test_seats_drawn_in_the_hall_put_partners_across_from_each_other(evening: Evening, fredi: User) -> None:
    made = evening(8)
    first = made.rounds.get(number=1)
    with pytest.raises(TournamentError) as refused:
        seating_by_hand.seat_by_hand(first, [(1, 2, 3, 4), (5, 7, 6, 8)], actor=fredi)
    assert refused.value.code == "draw/partners_apart"
    assert (refused.value.params["one"], refused.value.params["other"]) == ("Person 1", "Person 3")
    seating_by_hand.seat_by_hand(first, [(1, 3, 2, 4), (5, 7, 6, 8)], actor=fredi)
    assert first.tables.count() == 2


def test_pairs_of_the_house_are_not_ranked_and_one_helper_does_not_hide_a_guest(
    evening: Evening, fredi: User
) -> None:
    made = evening(8)
    for number in (1, 2, 3):
        entries.edit_entry(person(made, number), actor=fredi, house=True)
    assert {row.key for row in ranking_basis.live_ranking(made)} == {3, 5, 7}
    seating_by_hand.seat_by_hand(made.rounds.get(number=1), [(1, 3, 2, 4), (5, 7, 6, 8)], actor=fredi)
    rounds.open_round(made.rounds.get(number=1), actor=fredi)
    assert {row.members for row in ranking_basis.live_ranking(made)} == {(3, 4), (5, 6), (7, 8)}


def test_lots_are_asked_of_pairs(evening: Evening, fredi: User) -> None:
    made = evening(8)
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.all():
        table_play.write_sheet(table, [100])
    rounds.close_round(round_, actor=fredi)
    level = tie_break_draws.list_ties(made)
    assert [len(group) for group in level] == [2, 2]
    first, second = (row.key for row in level[0])
    tie_break_draws.record_tie_break(made, "lot", {first: 2, second: 1}, actor=fredi)
    assert [row.key for row in ranking_basis.live_ranking(made)][:2] == [second, first]


def test_pairs_of_an_older_version_become_entrants_and_the_stream_says_so(
    evening: Evening, fredi: User
) -> None:
    made = evening(8, paired=False)
    for one in (1, 3, 5, 7):
        SideConstraint.objects.create(
            championship=made, kind="fixed_pair", one=person(made, one), other=person(made, one + 1)
        )
    assert former_pairs.convert_pairs(made) == 4
    assert former_pairs.convert_pairs(made) == 0
    assert not made.side_constraints.exists()
    assert told(made) == ["entrant_formed"] * 4
    play(made, 1, fredi)
    assert len(ranking_basis.live_ranking(made)) == 4
    assert differences(made) == []


def test_an_older_championship_that_is_finished_stays_as_it_was_ranked(evening: Evening, fredi: User) -> None:
    made = evening(8, paired=False)
    SideConstraint.objects.create(
        championship=made, kind="fixed_pair", one=person(made, 1), other=person(made, 2)
    )
    made.status = Championship.Status.FINISHED
    made.save(update_fields=["status"])
    assert former_pairs.convert_pairs(made) == 0
    assert not Entrant.objects.exists()
    assert {row.members for row in ranking_basis.live_ranking(made) if row.members} == set()


def test_who_plays_for_another_and_belongs_to_no_pair_does_not_stop_the_next_draw(
    evening: Evening, fredi: User
) -> None:
    made = evening(8)
    helper = entries.add_entry(made, actor=fredi, name="Aushilfe")
    first = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    rounds.open_round(first, actor=fredi)
    tired = first.seatings.get(table__number=1, seat=2).entry
    substitutions.substitute(first, helper.number, tired.number, deal=1, actor=fredi)
    for table in first.tables.order_by("number"):
        table_play.write_sheet(table, [100])
    rounds.close_round(first, actor=fredi)

    assert drawing.draw_round(made.rounds.get(number=2), actor=fredi).seatings.count() == 8
