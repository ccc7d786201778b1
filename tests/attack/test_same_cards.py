"""All tables play the same cards: whoever has yet to play a deal learns nothing of it at the others.

The cheat tries every address of the platform (as in test_delayed_broadcast_pages.py), then chairs, offices,
delays and tables that were broken off.
"""

from datetime import timedelta
from typing import Any, ClassVar

import pytest
from django.utils import timezone

from games.models import Access, Deadline, Game, User
from games.play.submit import submit
from games.projections import delayed_broadcast
from games.rights import observers
from games.timers import deadlines
from tests.attack import late_evening, test_delayed_broadcast_pages
from tests.attack.late_evening import Clock, Evening
from tests.attack.test_delayed_broadcast_pages import clock, differences, shown_difference, world
from tests.frontend.evening import client, opened, person, table
from tests.frontend.test_page_secrecy import count_rows_again
from tests.games.cast import next_command
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Entry, Official, Round, Table
from tournaments.services import broadcast_delay
from tournaments.services.championships import officials
from tournaments.services.draw import late_people, seat_exchanges, substitutions
from tournaments.services.entries import entries
from tournaments.services.referee import corrections, opened_hands
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.seats import same_cards

pytestmark = [pytest.mark.django_db]
_FIXTURES = (clock,)
SAME: dict[str, Any] = {"rounds": 1, "deals": 3, "same_cards": True}


class SameCards(Evening):
    """The evening of the tables that are shown late, all with the same cards; one is slow."""

    MORE: ClassVar[dict[str, Any]] = {"changes": {"rounds": 1, "same_cards": True}}

    def begin(self) -> None:
        """The slow table plays its first deal, so nobody may know anything of that or of later ones."""
        self.play(late_evening.QUIET, 20)

    def go_on(self) -> None:
        """The others play long ago, and are far ahead."""
        self.play(1, 90)
        self.write_down(70)
        for deal in range(1, 9):
            table_play.enter(table(self.round, 3), deal, 90 + deal)
            table_play.confirm(table(self.round, 3), deal)


@pytest.fixture
def evening(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Evening:
    count_rows_again()
    made = SameCards(clock)
    made.begin()
    clock.go_on(late_evening.MINUTES + 1)
    return made


@pytest.mark.slow
@pytest.mark.long(1)
@pytest.mark.parametrize("role", test_delayed_broadcast_pages.STRANGERS)
def test_no_address_tells_of_a_deal_that_a_table_has_yet_to_play(
    role: str, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long after the delay, otherwise than in test_delayed_broadcast_pages."""
    quiet = world(evening, lambda: None, role, monkeypatch, after=60)
    busy = world(evening, evening.go_on, role, monkeypatch, after=60)
    found = differences(quiet, busy)
    assert not found, "\n".join(shown_difference(what, quiet, busy) for what in found[:20])
    assert len(quiet) > 300, "nothing was asked"


# --- how deals open


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that no seal and no worker follows."""
    made = Clock()
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    return made


def wait(at: Clock, minutes: int = 2) -> None:
    for _ in range(minutes):
        at.now += timedelta(minutes=1)
        while found := deadlines.due(at.now):
            for number in found:
                deadlines.run(number, at.now)


def hall(*modes: str, **more: Any) -> list[Table]:
    round_ = opened(*(modes or ("dealt",)), changes=SAME | more)
    return list(round_.tables.select_related("game", "round__championship").order_by("number"))


def play_deals(one: Table, deals: int) -> None:
    """Play until this deal has ended and the next one has begun, or the game is over."""
    game = delayed_broadcast.current_game(Game.objects.get(pk=one.game_id))
    players = table_play.refs(one)
    while game.deal <= deals and (command := next_command(game)) is not None:
        submit(game.pk, command, actor=players[command.seat], command_id=f"m{game.head_seq}")
        game = delayed_broadcast.current_game(Game.objects.get(pk=one.game_id))


def shown(*tables: Table) -> list[int]:
    """The deal that the public sees at each table."""
    return [Game.objects.get(pk=one.game_id).deal for one in tables]


def test_a_deal_opens_everywhere_when_the_last_table_has_finished_it(later: Clock) -> None:
    first, second = hall()
    play_deals(first, 2)
    wait(later)
    assert shown(first, second) == [0, 0]
    assert not Deadline.objects.filter(kind="show", stream=first.game_id).exists(), "nobody asks in vain"
    play_deals(second, 1)
    wait(later)
    assert shown(first, second) == [1, 1]
    events = client().get(f"/api/v1/games/{first.game_id}/events/").json()["events"]
    assert [event["deal"] for event in events if event["type"] == "deal_scored"] == [1]
    play_deals(second, 3)
    wait(later)
    assert shown(first, second) == [2, 2]
    play_deals(first, 3)
    wait(later)
    assert [Game.objects.get(pk=one.game_id).status for one in (first, second)] == ["ended", "ended"]
    assert not Game.objects.filter(ahead_seq__isnull=False).exists()


def test_sheets_wait_for_each_other_deal_by_deal(later: Clock) -> None:
    first, second = hall("sheet")
    for deal in (1, 2):
        table_play.enter(first, deal, 90)
        table_play.confirm(first, deal)
    wait(later)
    assert shown(first, second) == [0, 0]
    table_play.enter(second, 1, 80)
    wait(later)
    assert shown(first, second) == [1, 1]


def test_a_table_that_gives_up_opens_the_deal_and_does_not_come_back(later: Clock) -> None:
    first, second = hall()
    play_deals(first, 2)
    breaking_off.break_off(second, actor=person("fredi"), reason="unwell")
    breaking_off.resume_table(second, actor=person("fredi"), reason="better")
    breaking_off.break_off(second, actor=person("fredi"), reason="unwell again")
    wait(later)
    assert shown(first) == [2]
    second.refresh_from_db()
    with pytest.raises(TournamentError) as refused:
        breaking_off.resume_table(second, actor=person("fredi"), reason="better")
    assert refused.value.code == "breaks/cards_shown"


def test_closing_the_round_shows_everything() -> None:
    first, _second = hall()
    play_deals(first, 3)
    rounds.close_round(first.round, actor=person("fredi"), force=True)
    assert shown(first) == [3]
    assert Game.objects.get(pk=first.game_id).status == "ended"


def test_the_director_cannot_show_it_at_once() -> None:
    first, _second = hall()
    assert broadcast_delay.compute_effective_delay(first.round, _regulations(first)) == 1
    with pytest.raises(TournamentError) as refused:
        broadcast_delay.set_delay(first.round, 0, actor=person("fredi"))
    assert refused.value.code == "delays/same_cards"
    page = client("fredi").get(f"/c/herbstcup/rounds/{first.round.number}/").content.decode()
    assert 'name="minutes" value="0"' not in page
    assert 'name="minutes" value="5"' in page


def _regulations(one: Table) -> Any:
    from tournaments.services.current_regulations import load_regulations

    return load_regulations(one.round.championship)


# --- chairs


def newcomer(round_: Round, number: int = 50) -> Entry:
    return Entry.objects.create(
        championship=round_.championship,
        number=number,
        name=f"Gast {number}",
        player_ref=f"{number:032}",
        status="arrived",
    )


def test_who_comes_late_gets_a_table_until_the_first_deal_is_shown(later: Clock) -> None:
    first, second = hall("sheet")
    late = [newcomer(first.round, number) for number in range(50, 58)]
    made = late_people.add_table(first.round, [one.number for one in late[:4]], actor=person("fredi"))
    assert made.game is not None
    assert {Game.objects.get(pk=one.game_id).number for one in (first, made)} == {1}
    for one in (first, second):
        table_play.enter(one, 1, 80)
    wait(later)
    assert shown(first, second) == [0, 0], "the new table has yet to play it"
    play_deals(made, 1)
    wait(later)
    assert late_people.propose_table(Round.objects.get(pk=first.round.pk)) is None
    with pytest.raises(TournamentError) as refused:
        late_people.add_table(first.round, [one.number for one in late[4:]], actor=person("fredi"))
    assert refused.value.code == "chairs/cards_known"


def test_a_substitute_of_one_table_does_not_sit_down_at_another() -> None:
    first, second = hall("sheet")
    guest = newcomer(first.round)
    at_first, at_second = (one.seatings.get(seat=0).entry.number for one in (first, second))
    fredi = person("fredi")
    substitutions.substitute(first.round, guest.number, at_first, actor=fredi)
    table_play.enter(first, 1, 80)
    substitutions.substitute(first.round, at_first, at_first, deal=1, actor=fredi)
    for sit_down in (substitutions.substitute, _take_chair):
        with pytest.raises(TournamentError) as refused:
            sit_down(first.round, guest.number, at_second, actor=fredi)
        assert refused.value.code == "chairs/cards_played"
    substitutions.substitute(first.round, guest.number, at_first, deal=2, actor=fredi)


def test_after_an_exchange_the_other_table_is_closed_and_the_own_one_open() -> None:
    first, second = hall("sheet")
    fredi = person("fredi")
    one, other = (each.seatings.get(seat=0).entry.number for each in (first, second))
    seat_exchanges.exchange_seats(first.round, one, other, actor=fredi)
    player = Entry.objects.get(championship=first.round.championship, number=one)
    same_cards.require_not_played(first.round, player, second)
    with pytest.raises(TournamentError) as refused:
        same_cards.require_not_played(first.round, player, first)
    assert refused.value.code == "chairs/cards_played"


def _take_chair(round_: Round, player: int, instead: int, *, actor: Any) -> None:
    substitutions.take_chair(round_, player, instead, bye=False, actor=actor)


def test_nobody_changes_to_a_table_whose_cards_they_have_seen() -> None:
    first, second = hall("sheet")
    one, other = (each.seatings.get(seat=0).entry.number for each in (first, second))
    seat_exchanges.exchange_seats(first.round, one, other, actor=person("fredi"))
    table_play.enter(first, 1, 80)
    with pytest.raises(TournamentError) as refused:
        seat_exchanges.exchange_seats(first.round, one, other, actor=person("gabi"), reason="?")
    assert refused.value.code == "chairs/tables_begun"
    beside = first.seatings.get(seat=1).entry.number
    mine = first.seatings.get(seat=0).entry.number
    seat_exchanges.exchange_seats(first.round, mine, beside, actor=person("gabi"), reason="as they sit")


# --- offices


def test_an_official_who_plays_sees_other_tables_as_anybody_does(later: Clock) -> None:
    first, second = hall()
    fredi, gabi = person("fredi"), person("gabi")
    assert Access.objects.filter(game=first.game_id, user=gabi, role="referee").exists()
    entries.link_account(second.seatings.get(seat=0).entry, gabi, actor=fredi)
    assert not Access.objects.filter(game=first.game_id, user=gabi).exists()
    officials.appoint(first.round.championship, gabi, Official.Role.DIRECTOR, actor=fredi)
    assert not Access.objects.filter(game=first.game_id, user=gabi).exists()
    play_deals(first, 1)
    wait(later)
    assert observers.find_visible_game(gabi, str(first.game_id)).deal == 0
    assert observers.find_visible_game(fredi, str(first.game_id)).deal == 2
    with pytest.raises(NotAllowed) as refused:
        opened_hands.open_hand(first, actor=gabi, deal=2, reason="curious")
    assert refused.value.code == "hands/same_cards"
    for address in (f"/c/herbstcup/rounds/{first.round.number}/", "/c/herbstcup/board/"):
        mine, theirs = (client(name).get(address).content.decode() for name in ("gabi", "fredi"))
        points = str(delayed_broadcast.current_game(Game.objects.get(pk=first.game_id)).totals[0])
        assert f">{points}<" in theirs
        assert f">{points}<" not in mine
    rounds.close_round(first.round, actor=fredi, force=True)
    assert Access.objects.filter(game=first.game_id, user=gabi, role="referee").exists()


def test_an_official_who_substitutes_is_a_player(later: Clock) -> None:
    """Appointed while they substitute, they get no office where the same cards are still to be played."""
    first, second = hall("sheet")
    cup, fredi, gabi = first.round.championship, person("fredi"), person("gabi")
    guest = newcomer(first.round)
    entries.link_account(guest, gabi, actor=fredi)
    drawn = second.seatings.get(seat=0).entry
    substitutions.substitute(first.round, guest.number, drawn.number, actor=fredi)
    own = Access.objects.filter(game=second.game_id, user=gabi)
    officials.appoint(cup, gabi, Official.Role.DIRECTOR, actor=fredi)
    assert not Access.objects.filter(game=first.game_id, user=gabi).exists()
    assert [row.role for row in own] == ["seat"]
    assert same_cards.plays_now(gabi, first.round), "no cards are printed for them either"
    table_play.enter(second, 1, 80)
    table_play.confirm(second, 1)
    refused = corrections.find_correction_refusal(second, gabi, 1)
    assert refused is not None
    assert refused.code == "corrections/own_table"
    rounds.close_round(first.round, actor=fredi, force=True)
    assert Access.objects.filter(game=first.game_id, user=gabi, role="director").exists()
    assert [row.role for row in own] == ["seat"], "the table at which they played is not theirs to rule on"


def test_a_seat_follows_the_account_of_who_plays_there() -> None:
    """An account linked while a substitute plays gets the seat if it is the substitute's, otherwise not."""
    first, _second = hall("sheet")
    fredi, guest, drawn = person("fredi"), newcomer(first.round), first.seatings.get(seat=0).entry
    substitutions.substitute(first.round, guest.number, drawn.number, actor=fredi)
    seat = Access.objects.filter(game=first.game_id, role="seat", seat=0)
    entries.link_account(drawn, User.objects.create_user("drawn"), actor=fredi)
    assert not seat.exists()
    entries.link_account(guest, User.objects.create_user("guest"), actor=fredi)
    assert [row.user.username for row in seat] == ["guest"]
