"""Tables against bots for people without an account."""

from datetime import timedelta

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.utils import timezone
from pytest_django.fixtures import Settings

from engine import VARIANTS, Observer, Refused
from games import guests
from games.messaging.rate_limit import Budget
from games.models import Deadline, Event, Game, GuestTable
from games.monitoring import condition
from games.rights import observers, tokens
from games.rights.claims import ANONYMOUS, Principal
from games.rights.sessions import SessionStore
from tests.games.bots_at_work import play_out
from tests.games.cast import table
from tournaments.services.audit import auditing

pytestmark = pytest.mark.django_db


def opened(session: SessionBase | None = None, variant: str = "schieber") -> Game:
    return guests.open_guest_table(variant, session or SessionStore(), "192.0.2.1")


def refusal(session: SessionBase, variant: str = "schieber") -> str:
    with pytest.raises(Refused) as refused:
        opened(session, variant)
    return refused.value.code


def left(game: Game, minutes: int) -> None:
    Game.objects.filter(pk=game.pk).update(last_event_at=timezone.now() - timedelta(minutes=minutes))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_guest_sits_among_bots_in_every_game(variant: str) -> None:
    session = SessionStore()
    game = opened(session, variant)
    guest = Principal(token=tokens.of_session(session))
    assert observers.find_observer(game, guest) == Observer.seat(0)
    assert [bool(seat.bot) for seat in game.seats.all()] == [False] + [True] * (game.seat_count - 1)
    play_out(game)
    assert game.turn_seat == 0


def test_nobody_else_sees_the_table_and_the_guest_sees_no_other() -> None:
    session, another = SessionStore(), SessionStore()
    game, foreign = opened(session), opened(another)
    guest = Principal(token=tokens.of_session(session))
    assert not observers.list_visible_games(ANONYMOUS).exists()
    assert list(observers.list_visible_games(guest)) == [game]
    with pytest.raises(Refused):
        observers.find_observer(foreign, guest)


def test_a_new_table_ends_the_one_before() -> None:
    session = SessionStore()
    first, second = opened(session), opened(session, "differenzler")
    assert list(GuestTable.objects.values_list("game", flat=True)) == [second.pk]
    assert not Game.objects.filter(pk=first.pk).exists()
    assert not Deadline.objects.filter(stream=first.pk).exists()


def test_whoever_sits_at_a_championship_by_code_keeps_the_seat() -> None:
    game = table(deals=1)
    session = SessionStore()
    admitted = tokens.admit(game, "seat", 0, "ref", session, expires_at=timezone.now() + timedelta(days=1))
    assert refusal(session) == "guests/has_a_seat"
    assert tokens.of_session(session) == admitted


def test_a_game_that_nobody_knows_is_refused() -> None:
    assert refusal(SessionStore(), "poker") == "guests/no_such_game"


def test_many_tables_of_one_address_are_refused_and_nothing_is_left(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LIMITS = True
    monkeypatch.setattr(guests, "ADDRESS_BUDGET", Budget("guests-of-this-test", most=2, seconds=600))
    opened(), opened()
    assert refusal(SessionStore()) == "guests/too_many_tables"
    assert GuestTable.objects.count() == 2


@pytest.mark.parametrize("day", ["ADDRESS_DAY_BUDGET", "ALL_GUESTS_DAY_BUDGET"])
def test_so_many_a_day_are_opened_and_no_more(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, day: str
) -> None:
    settings.LIMITS = True
    monkeypatch.setattr(guests, day, Budget(f"guests-of-this-day-{day}", most=2, seconds=86_400))
    opened(), opened()
    assert refusal(SessionStore()) == "guests/too_many_tables"
    assert GuestTable.objects.count() == 2


def test_nobody_opens_one_while_the_disk_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log keeps what is played there, and a championship needs the room."""
    played = opened()
    monkeypatch.setattr(condition, "MIN_FREE_MEGABYTES", 1 << 40)
    assert refusal(SessionStore()) == "guests/disk_low"
    assert list(GuestTable.objects.values_list("game", flat=True)) == [played.pk]


def test_where_the_house_is_full_the_one_left_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "MAX_GUEST_TABLES", 2)
    waiting, played = opened(), opened()
    assert refusal(SessionStore()) == "guests/too_many_tables"
    left(waiting, minutes=5)
    third = opened()
    assert set(GuestTable.objects.values_list("game", flat=True)) == {played.pk, third.pk}


def test_a_table_that_was_left_is_gone_and_the_log_stays() -> None:
    session = SessionStore()
    game, played = opened(session), opened()
    left(game, minutes=61)
    assert guests.delete_idle_tables(timezone.now()) == 1
    assert guests.delete_idle_tables(timezone.now()) == 0
    assert list(Game.objects.all()) == [played]
    assert tokens.of_session(session) is None
    assert Event.objects.filter(stream=game.pk).exists()


@pytest.mark.parametrize("cleared", [False, True], ids=["played", "cleared"])
def test_audits_leave_them_out_with_their_rounds(cleared: bool) -> None:
    guest, other = opened(), table(deals=1)
    if cleared:
        left(guest, minutes=61)
        guests.delete_idle_tables(timezone.now())
    parts = auditing.start_audit().parts.all()
    assert [key for part in parts for key in part.games] == [other.pk]
    assert [key for part in parts for key in part.streams] == [other.round_stream_id]
