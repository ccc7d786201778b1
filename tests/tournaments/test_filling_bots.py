"""A bot for an empty seat at the last online table: chosen beside the draw, for one round."""

from collections.abc import Callable

import pytest

from games.bots import runner
from games.models import Game, User
from tests.games.bots_at_work import play_out
from tests.tournaments.test_corrections import wrong
from tournaments import regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.models import Bye, Championship, Entry, Round, Table
from tournaments.presets import PRESETS
from tournaments.services.championships import championship_copy, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing, left_over
from tournaments.services.draw.left_over import list_choices
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis

People = Callable[[int], list[Entry]]


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(TournamentError) as refusal:
        act()
    assert refusal.value.code == code


@pytest.fixture
def online(championship: Championship, fredi: User) -> Championship:
    """A championship whose tables are dealt here, one deal a round."""
    data = regulations.encode(load_regulations(championship))
    data |= {"play": {**data["play"], "mode": "dealt"}, "deals": 1}
    regulations_change.change_regulations(championship, data, actor=fredi)
    return championship


def draw_with_bots(championship: Championship, number: int, fredi: User) -> Round:
    return drawing.draw_round(championship.rounds.get(number=number), actor=fredi, left_over="bot")


@pytest.mark.parametrize(("people", "bots"), [(7, 1), (6, 2), (5, 3)])
def test_so_many_bots_sit_down_as_are_missing_and_nobody_sits_out(
    online: Championship, arrived: People, fredi: User, people: int, bots: int
) -> None:
    arrived(people)
    round_ = draw_with_bots(online, 1, fredi)
    assert [table.seatings.count() for table in round_.tables.all()] == [4, 4]
    assert not Bye.objects.exists()
    seated = round_.seatings.filter(entry__bot=True)
    assert sorted(seating.entry.name for seating in seated) == [f"Computer {n}" for n in range(1, bots + 1)]
    assert wrong(online) == []


def test_the_server_plays_for_it_and_it_is_in_no_ranking(
    online: Championship, arrived: People, fredi: User
) -> None:
    arrived(3)
    round_ = draw_with_bots(online, 1, fredi)
    rounds.open_round(round_, actor=fredi)
    game = Game.objects.get()
    [seat] = game.seats.exclude(bot="")
    assert (seat.bot, seat.player_ref) == (runner.BOT, Entry.objects.get(bot=True).player_ref)
    play_out(game)
    game.refresh_from_db()
    assert game.turn_seat != seat.number, "it never waits for its bot"
    assert {row.key for row in ranking_basis.live_ranking(online)} == {1, 2, 3}
    assert wrong(online) == []


def test_the_next_round_takes_the_same_one_or_none(
    online: Championship, arrived: People, fredi: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = arrived(7)
    first = draw_with_bots(online, 1, fredi)
    rounds.open_round(first, actor=fredi)
    rounds.close_round(first, actor=fredi, force=True)
    second = draw_with_bots(online, 2, fredi)
    assert online.entries.filter(bot=True).count() == 1
    draw_undoing.undo_draw(second, actor=fredi, reason="noch jemand kam")
    entries.add_entry(online, actor=fredi, name="Acht", status=Entry.Status.ARRIVED)
    assert left_over.count_gap(online).over == 0
    drawing.draw_round(online.rounds.get(number=2), actor=fredi)
    assert not online.rounds.get(number=2).seatings.filter(entry__bot=True).exists()
    assert online.rounds.get(number=2).byes.count() == 0
    assert len(people) == 7
    assert wrong(online) == []


def test_a_bot_does_not_help_out_as_one_of_the_house_nor_come_again(
    online: Championship, arrived: People, fredi: User
) -> None:
    arrived(7)
    draw_undoing.undo_draw(draw_with_bots(online, 1, fredi), actor=fredi, reason="x")
    refused(
        "draw/left_over",
        lambda: drawing.draw_round(online.rounds.get(number=1), actor=fredi, left_over="house"),
    )
    drawing.draw_round(online.rounds.get(number=1), actor=fredi)
    assert Bye.objects.count() == 3
    fredi.may_found = True
    fredi.save()
    made = championship_copy.duplicate_championship(online, actor=fredi, name="Nochmals", people=True)
    assert not made.entries.filter(bot=True).exists()
    assert made.entries.count() == 7


def test_it_is_no_way_where_cards_are_real_or_pairs_are_fixed(
    championship: Championship, online: Championship, arrived: People, fredi: User
) -> None:
    def ways(preset: str, mode: str) -> list[str]:
        data = regulations.encode(PRESETS[preset])
        held = regulation_checks.decode({**data, "play": {**data["play"], "mode": mode}})
        return [choice.way for choice in list_choices(held, 7, 0)]

    assert "bot" in ways("santiago", "dealt")
    assert "bot" not in ways("santiago", "sheet")
    assert "bot" not in ways("partnerschieber", "dealt")
    arrived(7)
    round_ = draw_with_bots(online, 1, fredi)
    with_bot = Table.objects.get(seatings__entry__bot=True)
    refused("rounds/bot_without_cards", lambda: rounds.set_mode(with_bot, "sheet", actor=fredi))
    other = round_.tables.exclude(pk=with_bot.pk).get()
    assert rounds.set_mode(other, "sheet", actor=fredi).mode == "sheet"
