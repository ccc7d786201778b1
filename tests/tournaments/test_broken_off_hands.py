"""A broken-off table may continue with its hands: while that is possible, they are visible only by a recorded
look.
"""

from collections.abc import Callable

import pytest
from django.test import Client

from engine import Observer
from engine.events import HandDealt
from games import game_state, store
from games.models import Game, User
from games.observed import export, observed_game
from games.rights import claims, observers
from tests.tournaments import table_play
from tournaments.errors import TournamentError
from tournaments.models import Entry, OpenedHands, Round, SeatChange, Table
from tournaments.services.entries import entries
from tournaments.services.referee import opened_hands
from tournaments.services.rounds import breaking_off, rounds

Opened = Callable[..., Round]
AFTER_DEAL = Observer.spectator("after_deal")


@pytest.fixture
def table(open_round: Opened, fredi: User) -> Table:
    """In the middle of its second deal, broken off."""
    opened: Table = open_round("dealt", people=4).tables.select_related("game", "round__championship").get()
    table_play.play_deal(opened)
    breaking_off.break_off(opened, actor=fredi, reason="Feueralarm")
    return Table.objects.select_related("game", "round__championship").get()


def game_at(table: Table) -> Game:
    return Game.objects.get(pk=table.game_id)


def sees(table: Table, who: User | claims.Principal) -> Observer:
    return observers.find_observer(game_at(table), who)


def open_hands(table: Table, who: User | claims.Principal) -> list[bool]:
    """Return for each dealt hand whether a requested page shows its cards."""
    game = game_at(table)
    seen = observed_game.list_observed_events(
        game_state.load_snapshot(game.pk), export.export_observer(game, observers.find_observer(game, who))
    )
    return [event.cards is not None for event in seen if isinstance(event, HandDealt)]


def test_breaking_a_table_off_opens_its_hands_to_no_office(table: Table, gabi: User, fredi: User) -> None:
    assert game_at(table).status == "closed"
    for official in (gabi, fredi):
        assert sees(table, official) == AFTER_DEAL
        assert (
            observers.find_live_observer(game_at(table), claims.roles(game_at(table), official)) == AFTER_DEAL
        )
        assert open_hands(table, official) == [True] * 4 + [False] * 4


def test_a_look_at_a_table_that_was_broken_off_is_told_there(table: Table, gabi: User, fredi: User) -> None:
    opened_hands.open_hand(table, actor=gabi, deal=2, reason="Streit")
    assert open_hands(table, gabi) == [True] * 8
    assert open_hands(table, fredi) == [True] * 4 + [False] * 4
    breaking_off.resume_table(table, actor=fredi, reason="weiter")
    assert store.read(table.round.stream_id, parts=False)[-1].type == "hidden_cards_opened"
    page = Client().get(f"/g/{table.game_id}/", headers={"Accept-Language": "en"}).content.decode()
    assert "opened the hidden cards in deal 2" in page


@pytest.mark.usefixtures("template_contexts")
def test_the_page_of_a_table_that_was_broken_off_leads_to_the_look(
    client: Client, table: Table, gabi: User, fredi: User
) -> None:
    client.force_login(gabi)
    look = f"/g/{table.game_id}/open-hands/"
    assert look in client.get(f"/g/{table.game_id}/").content.decode()
    assert client.get(look).context["hidden"] == 2
    rounds.close_round(table.round, actor=fredi)
    assert look not in client.get(f"/g/{table.game_id}/").content.decode()
    assert client.get(look).context["hidden"] is None


def test_whoever_looked_at_a_table_that_was_broken_off_is_not_linked_to_its_seats(
    table: Table, gabi: User, fredi: User
) -> None:
    opened_hands.open_hand(table, actor=gabi, deal=2, reason="Streit")
    entry = table.seatings.select_related("entry__user", "entry__championship").get(seat=0).entry
    with pytest.raises(TournamentError) as refused:
        entries.link_account(entry, gabi, actor=fredi)
    assert refused.value.code == "entries/has_looked"


def test_a_seat_that_is_given_while_a_table_is_broken_off_is_told_there(
    table: Table, gabi: User, fredi: User
) -> None:
    entry: Entry = table.seatings.select_related("entry__user", "entry__championship").get(seat=0).entry
    entries.link_account(entry, gabi, actor=fredi)
    assert SeatChange.objects.get().to_official
    assert store.read(table.round.stream_id, parts=False)[-1].type == "seat_given"


def test_once_the_seed_is_public_a_table_that_was_broken_off_hides_nothing(
    table: Table, gabi: User, fredi: User
) -> None:
    rounds.close_round(table.round, actor=fredi)
    assert sees(table, gabi) == Observer.referee()
    assert open_hands(table, claims.ANONYMOUS) == [True] * 8
    with pytest.raises(TournamentError) as refused:
        opened_hands.open_hand(table, actor=gabi, deal=2, reason="zu spät")
    assert refused.value.code == "hands/nothing_hidden"
    assert not OpenedHands.objects.exists()


def test_hands_that_wait_go_on_waiting_while_their_table_is_broken_off(table: Table, fredi: User) -> None:
    Game.objects.filter(pk=table.game_id).update(hands_wait_deals=1, visibility="after_deal")
    assert open_hands(table, claims.ANONYMOUS) == [False] * 8
    rounds.close_round(table.round, actor=fredi)
    assert open_hands(table, claims.ANONYMOUS) == [True] * 8


def test_hands_wait_for_a_table_with_the_same_cards_that_was_broken_off(
    open_round: Opened, fredi: User
) -> None:
    first, second = (
        open_round("dealt", "dealt").tables.select_related("round__championship").order_by("number")
    )
    number = game_at(first).number
    Game.objects.filter(pk=second.game_id).update(number=number)
    Game.objects.update(visibility="after_deal")
    breaking_off.break_off(second, actor=fredi, reason="Feueralarm")
    table_play.play_deal(first)
    assert open_hands(first, claims.ANONYMOUS) == [False] * 8
    breaking_off.resume_table(second, actor=fredi, reason="weiter")
    assert open_hands(first, claims.ANONYMOUS) == [False] * 8


def test_a_table_written_down_shows_strangers_no_hand_while_it_is_broken_off(
    open_round: Opened, fredi: User
) -> None:
    table = open_round("transcribed", people=4).tables.select_related("round__championship").get()
    table_play.write_revoke(table)
    breaking_off.break_off(table, actor=fredi, reason="Feueralarm")
    assert game_state.load_snapshot(str(table.game_id)).state.dealing
    hands = open_hands(table, claims.ANONYMOUS)
    assert hands
    assert not any(hands)
    rounds.close_round(table.round, actor=fredi)
    assert all(open_hands(table, claims.ANONYMOUS))
