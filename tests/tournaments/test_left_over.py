"""Uneven fields: a choice for one round beside the draw, otherwise the regulations."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games import store
from games.models import Game, User
from tests.tournaments import table_play
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round
from tournaments.presets import PRESETS
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing, late_people, left_over, seed_audit
from tournaments.services.entries import entries
from tournaments.services.rounds import fewer_rounds, rounds
from tournaments.standings import TableResult

NAMES = ["Anna", "Beat", "Chiara", "Dario", "Elsbeth", "Fränzi", "Görgi", "Heidi", "Idà", "Jürg", "Köbi"]
NAMES += ["Luzia", "Maja"]

Made = Callable[..., Championship]


@pytest.fixture
def differenzler(fredi: User) -> Made:
    def make(people: int = 13, **byes: Any) -> Championship:
        made = championships.create(actor=fredi, name="Differenzler", preset="differenzler")
        if byes:
            data = {**regulations.encode(load_regulations(made)), "byes": byes}
            regulations_change.change_regulations(made, data, actor=fredi)
        new = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:people]]
        entries.add_entries(made, new, actor=fredi)
        return made

    return make


def sizes(round_: Round) -> list[int]:
    return sorted(table.seatings.count() for table in round_.tables.all())


def test_thirteen_sit_at_one_table_of_four_and_three_of_three(differenzler: Made, fredi: User) -> None:
    made = differenzler()
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi, left_over="three")
    assert sizes(round_) == [3, 3, 3, 4]
    assert not round_.byes.exists()
    for table in round_.tables.all():
        rounds.set_mode(table, "dealt", actor=fredi)
    rounds.open_round(round_, actor=fredi)
    deals = {(game.seat_count, game.options["deals"]) for game in Game.objects.all()}
    assert deals == {(4, 4), (3, 3)}, "at a table of three each deals as often"
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    assert seed_audit.remake_round(round_.stream_id).differences == ()
    round_.refresh_from_db()
    assert list(row_audit.find_round_differences(round_, store.read(round_.stream_id))) == []


def test_the_regulations_say_what_happens_unless_something_is_chosen(differenzler: Made, fredi: User) -> None:
    made = differenzler(policy="three")
    first = drawing.draw_round(made.rounds.get(number=1), actor=fredi)
    assert sizes(first) == [3, 3, 3, 4]
    draw_undoing.undo_draw(first, actor=fredi, reason="anew")
    again = drawing.draw_round(first, actor=fredi, left_over="sit_out")
    assert (sizes(again), again.byes.count()) == ([4, 4, 4], 1)


def test_players_of_the_house_help_out_in_any_round_whatever_the_regulations_say(
    differenzler: Made, fredi: User
) -> None:
    made = differenzler(7)
    entries.add_entry(made, actor=fredi, name="Wirt", house=True, status="arrived")
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi, left_over="house")
    assert sizes(round_) == [4, 4]
    assert round_.seatings.filter(entry__house=True).count() == 1


@pytest.mark.parametrize(("people", "way"), [(5, "three"), (7, "house"), (13, "bet")])
def test_what_does_not_come_out_is_refused_and_nothing_is_drawn(
    differenzler: Made, fredi: User, people: int, way: str
) -> None:
    made = differenzler(people)
    round_ = made.rounds.get(number=1)
    with pytest.raises(TournamentError) as refused:
        drawing.draw_round(round_, actor=fredi, left_over=way)
    assert refused.value.code == "draw/left_over"
    round_.refresh_from_db()
    assert round_.status == Round.Status.PLANNED


def test_a_game_that_three_do_not_play_has_no_such_tables(championship: Championship, fredi: User) -> None:
    held = load_regulations(championship)
    assert [choice.way for choice in left_over.list_choices(held, 13, 3)] == ["house", "bot", "sit_out"]
    data = {**regulations.encode(held), "byes": {"policy": "three"}}
    with pytest.raises(TournamentError) as refused:
        regulations_change.change_regulations(championship, data, actor=fredi)
    assert refused.value.code == "regulations/no_threes"


def test_who_comes_late_sits_down_at_a_table_of_three_before_the_round_is_open(
    differenzler: Made, fredi: User
) -> None:
    made = differenzler()
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=fredi, left_over="three")
    late = entries.add_entry(made, actor=fredi, name="Noldi")
    short = next(table for table in round_.tables.order_by("number") if table.seatings.count() == 3)
    late_people.join_table(round_, late.number, short.number, actor=fredi)
    assert sizes(round_) == [3, 3, 4, 4]
    late.refresh_from_db()
    assert late.status == Entry.Status.ARRIVED
    round_.refresh_from_db()
    assert list(row_audit.find_round_differences(round_, store.read(round_.stream_id))) == []
    with pytest.raises(TournamentError) as refused:
        late_people.join_table(
            round_, entries.add_entry(made, actor=fredi, name="Otto").number, short.number, actor=fredi
        )
    assert refused.value.code == "chairs/table_full"


def test_a_table_of_three_counts_as_it_is_or_scaled_to_four() -> None:
    one = TableResult(
        1, 1, "ended", (1, 2, 3), (0, 1, 2), totals=(10, 11, 12), sweeps=(0, 0, 0), winners=(0,)
    )
    assert [one.credit(seat, "points") for seat in range(3)] == [10, 11, 12]
    scaled = msgspec.structs.replace(one, scaled=True)
    assert [scaled.credit(seat, "points") for seat in range(3)] == [13, 15, 16]
    assert (one.credit(0, "wins"), scaled.credit(0, "wins")) == (2, 3)


@pytest.mark.parametrize("planned", [2, 3])
def test_the_leader_does_not_sit_out_in_the_last_round(fredi: User, planned: int) -> None:
    made = championships.create(
        actor=fredi, name="Kurz", changes={"rounds": planned, "deals": 1}, preset="santiago"
    )
    new = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:5]]
    entries.add_entries(made, new, actor=fredi)
    first, second = made.rounds.order_by("number")[:2]
    drawing.draw_round(first, actor=fredi)
    rounds.set_mode(first.tables.get(), "sheet", actor=fredi)
    rounds.open_round(first, actor=fredi)
    table_play.write_sheet(first.tables.get(), [157], {1: 0})
    rounds.close_round(first, actor=fredi)
    if planned > 2:
        fewer_rounds.set_round_count(made, 2, actor=fredi)
    drawing.draw_round(second, actor=fredi)
    [drawn] = [event for event in store.read(second.stream_id) if event.type == "seats_drawn"]
    kept = {drawn.body["players"][place] for place in drawn.body["problem"]["sit_out_last"]}
    assert kept == {first.seatings.get(seat=seat).entry.player_ref for seat in (0, 2)}
    assert not kept & set(drawn.body["sit_out"])


def test_tables_of_three_count_like_tables_of_four_unless_somebody_says_otherwise(fredi: User) -> None:
    made = championships.create(actor=fredi, name="Differenzler", preset="differenzler")
    assert load_regulations(made).byes.three == "scaled"
    for byes in ({"policy": "three"}, {"policy": "sit_out"}):
        other = championships.create(
            actor=fredi, name="Differenzler", preset="differenzler", changes={"byes": byes}
        )
        assert load_regulations(other).byes.three == "scaled"
    told = {"byes": {"policy": "three", "three": "as_is"}}
    chosen = championships.create(actor=fredi, name="Differenzler", preset="differenzler", changes=told)
    assert load_regulations(chosen).byes.three == "as_is"


@pytest.mark.parametrize(
    ("preset", "changes", "fair", "favoured"),
    [
        ("differenzler", {}, "scaled", "three"),
        ("differenzler", {"deals": 0}, "as_is", ""),
        ("plus_minus", {}, "as_is", ""),  # a game to its end, whoever plays it
        ("coiffeur", {}, "as_is", ""),
        ("santiago", {}, "as_is", ""),  # never of three
    ],
)
def test_what_is_fair_for_tables_of_three_follows_from_the_game(
    preset: str, changes: dict[str, Any], fair: str, favoured: str
) -> None:
    held = msgspec.structs.replace(PRESETS[preset], **changes)
    assert regulations.fair_three(held) == fair
    as_is = msgspec.structs.replace(held, byes=msgspec.structs.replace(held.byes, three="as_is"))
    assert regulations.favoured_table(as_is) == favoured
    assert (held.deals_at(3), held.deals_at(4)) == (held.deals * 3 // 4, held.deals)
