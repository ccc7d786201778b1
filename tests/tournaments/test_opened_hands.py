"""A referee's look at hidden cards during a deal is recorded before they are shown."""

from collections.abc import Callable

import pytest

from engine.events import HandDealt
from games import game_state, store
from games.models import Access, Game, User
from games.observed import observed_game
from games.rights import claims, observers
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Official, OpenedHands, Round, Table
from tournaments.services.championships import officials
from tournaments.services.entries import entries
from tournaments.services.referee import opened_hands

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


@pytest.fixture
def dealt(open_round: Opened) -> Table:
    return open_round("dealt", people=4).tables.select_related("game", "round__championship").get()


def sees(table: Table, who: User) -> str:
    return str(observers.find_observer(Game.objects.get(pk=table.game_id), who))


def hidden(table: Table, who: User) -> int | None:
    return opened_hands.find_hidden_deal(Game.objects.get(pk=table.game_id), who)


def test_until_he_opens_them_an_official_sees_no_hidden_cards(
    dealt: Table, gabi: User, fredi: User, eva: User
) -> None:
    assert sees(dealt, gabi) == sees(dealt, fredi) == "spectator:after_deal"
    assert hidden(dealt, gabi) == 1
    assert hidden(dealt, eva) is None, "only the referee who opened it sees it"


def test_opening_is_an_event_and_opens_them_to_him_alone(dealt: Table, gabi: User, fredi: User) -> None:
    made = opened_hands.open_hand(dealt, actor=gabi, deal=1, reason="Streit um das Stöck")
    assert sees(dealt, gabi) == "spectator:after_deal:opened:1"
    assert sees(dealt, fredi) == "spectator:after_deal"
    event = store.read(dealt.round.stream_id)[-1]
    assert event.type == "hidden_cards_opened"
    assert event.body | {"game": dealt.game_id, "deal": 1, "reason": "Streit um das Stöck"} == event.body
    assert event.actor == Official.objects.get(user=gabi).ref
    assert event.body["seq"] == made.seq == store.read_head(str(dealt.game_id)).seq
    assert hidden(dealt, gabi) is None


def test_opening_twice_is_one_event(dealt: Table, gabi: User) -> None:
    first = opened_hands.open_hand(dealt, actor=gabi, deal=1, reason="einmal")
    assert opened_hands.open_hand(dealt, actor=gabi, deal=1, reason="nochmals") == first
    assert OpenedHands.objects.count() == 1
    assert [e.type for e in store.read(dealt.round.stream_id)].count("hidden_cards_opened") == 1


def test_it_needs_a_reason_and_an_office(dealt: Table, gabi: User, eva: User) -> None:
    with pytest.raises(TournamentError) as empty:
        opened_hands.open_hand(dealt, actor=gabi, deal=1, reason=" ")
    with pytest.raises(NotAllowed):
        opened_hands.open_hand(dealt, actor=eva, deal=1, reason="gwunderig")
    assert empty.value.code == "names/missing"
    assert not OpenedHands.objects.exists()


def test_when_the_game_is_over_nothing_is_hidden_from_an_official(dealt: Table, gabi: User) -> None:
    table_play.play_to_the_end(dealt.round)
    assert sees(dealt, gabi) == "referee"
    with pytest.raises(TournamentError) as refused:
        opened_hands.open_hand(Table.objects.get(pk=dealt.pk), actor=gabi, deal=8, reason="zu spät")
    assert refused.value.code == "hands/nothing_hidden"


def test_a_look_is_at_one_deal_and_the_next_one_needs_another(dealt: Table, gabi: User) -> None:
    game = Game.objects.get(pk=dealt.game_id)

    def hands() -> list[bool]:
        events = observed_game.list_observed_events(
            game_state.load_snapshot(game.pk), observers.find_observer(game, gabi)
        )
        return [event.cards is not None for event in events if isinstance(event, HandDealt)]

    opened_hands.open_hand(dealt, actor=gabi, deal=1, reason="einmal")
    assert hands() == [True] * 4
    table_play.play_deal(dealt)
    assert hands() == [True] * 4 + [False] * 4
    assert hidden(dealt, gabi) == 2
    with pytest.raises(TournamentError) as late:
        opened_hands.open_hand(dealt, actor=gabi, deal=1, reason="dieselbe Seite nochmals gesendet")
    assert (late.value.code, late.value.params["running"]) == ("hands/deal_over", 2)
    assert hands() == [True] * 4 + [False] * 4
    opened_hands.open_hand(dealt, actor=gabi, deal=2, reason="nochmals")
    assert hands() == [True] * 8
    looks = [e.body["deal"] for e in store.read(dealt.round.stream_id) if e.type == "hidden_cards_opened"]
    assert looks == [1, 2]


def test_a_look_is_still_at_one_deal_where_hands_open_later_than_their_deal(dealt: Table, gabi: User) -> None:
    Game.objects.filter(pk=dealt.game_id).update(hands_wait_deals=2)
    opened_hands.open_hand(dealt, actor=gabi, deal=1, reason="einmal")
    game = Game.objects.get(pk=dealt.game_id)
    live = observers.find_live_observer(game, claims.roles(game, gabi))
    assert str(live) == "spectator:opened:1"


def test_a_table_on_paper_hides_nothing(open_round: Opened, gabi: User) -> None:
    table = open_round("transcribed", people=4).tables.get()
    assert sees(table, gabi) == "referee"
    assert hidden(table, gabi) is None
    with pytest.raises(TournamentError):
        opened_hands.open_hand(table, actor=gabi, deal=1, reason="warum nicht")


def test_nobody_opens_the_cards_of_his_own_table(
    championship: Championship, fredi: User, gabi: User, arrived: People, open_round: Opened
) -> None:
    entries.link_account(arrived(4)[0], gabi, actor=fredi)
    table = open_round("dealt").tables.get()
    Access.objects.get_or_create(game=table.game, user=gabi, role="referee")
    with pytest.raises(NotAllowed) as refused:
        opened_hands.open_hand(table, actor=gabi, deal=1, reason="ich")
    assert refused.value.code == "hands/own_table"
    assert sees(table, gabi).startswith("seat:")
    assert hidden(table, gabi) is None


def test_an_official_who_is_appointed_later_has_to_open_them_too(
    championship: Championship, fredi: User, dealt: Table, user: Callable[[str], User]
) -> None:
    heidi = user("Heidi")
    officials.appoint(championship, heidi, Official.Role.REFEREE, actor=fredi)
    assert sees(dealt, heidi) == "spectator:after_deal"
