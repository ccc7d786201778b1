"""A seat belongs to one person at a time: the last one who got it, by account or by code."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import DjangoAssertNumQueries

from engine import Observer
from engine.commands import Play
from games.errors import Forbidden
from games.models import Access, Game, User
from games.rights import claims, observers, seats
from games.rights.claims import Principal
from tests.games.cast import table
from tests.tournaments.phone_sessions import Phone
from tournaments.models import Entry, Round
from tournaments.services.entries import entries, seat_codes

pytestmark = pytest.mark.both

Opened = Callable[..., Round]
NOBODY = AnonymousUser()


class Seat:
    """Seat 0 of the first table, which is online; whose it is, and what opens it."""

    def __init__(self, round_: Round, fredi: User) -> None:
        self.round = round_
        self.fredi = fredi
        first = round_.tables.select_related("game").get(number=1)
        assert first.game is not None
        self.game: Game = first.game
        self.entry: Entry = first.seatings.get(seat=0).entry

    def give(self, user: User | None) -> None:
        entries.link_account(self.entry, user, actor=self.fredi)

    def print_codes(self) -> list[str]:
        """New codes for this table, seat by seat."""
        issued = seat_codes.issue_codes(self.round, actor=self.fredi)
        return [code.token for code in issued if code.table == 1]

    def sees(self, who: Principal | User) -> Observer:
        return observers.find_observer(self.game, who)

    def may_play(self, who: Principal | User) -> bool:
        try:
            claims.authorise(self.game, who, Play(seat=0, card="S6"))
        except Forbidden:
            return False
        return True


@pytest.fixture
def seat(open_round: Opened, fredi: User) -> Seat:
    return Seat(open_round("dealt", "dealt"), fredi)


def test_an_account_that_is_linked_ends_the_phone_that_sat_there_by_code(seat: Seat, anna: User) -> None:
    phone, neighbour = Phone(), Phone()
    first, second, *_ = seat.print_codes()
    assert seat.sees(phone.scan(first).who) == Observer.seat(0)
    neighbour.scan(second)

    seat.give(anna)
    assert (seat.sees(phone.who), seat.sees(anna)) == (Observer.spectator(), Observer.seat(0))
    assert (seat.may_play(phone.who), seat.may_play(anna)) == (False, True)
    assert seat.sees(neighbour.who) == Observer.seat(1), "another person was meant"


def test_the_code_of_whoever_sat_there_before_opens_the_seat_no_more(seat: Seat, anna: User) -> None:
    slip = seat.print_codes()[0]
    seat.give(anna)
    assert Phone().refused(slip) == "access/bad_token"


def test_a_code_that_is_scanned_ends_the_account_that_sat_there_before(seat: Seat, anna: User) -> None:
    seat.give(anna)
    slip = seat.print_codes()[0]
    assert seat.may_play(anna), "codes are printed for every seat, also where nobody needs one"

    substitute = Phone().scan(slip).who
    assert (seat.sees(substitute), seat.sees(anna)) == (Observer.seat(0), Observer.spectator())
    assert (seat.may_play(substitute), seat.may_play(anna)) == (True, False)


def test_a_player_who_scans_the_code_of_his_own_seat_loses_nothing(seat: Seat, anna: User) -> None:
    seat.give(anna)
    phone = Phone(anna)
    phone.scan(seat.print_codes()[0])
    assert seat.sees(phone.who) == seat.sees(anna) == Observer.seat(0)

    seat.give(None)
    assert seat.sees(phone.who) == seat.sees(anna) == Observer.spectator(), "both were of the same person"


def test_an_account_that_is_taken_away_leaves_the_codes_to_whoever_comes_by_them(
    seat: Seat, anna: User
) -> None:
    seat.give(anna)
    slip = seat.print_codes()[0]
    seat.give(None)
    phone = Phone()
    assert seat.sees(phone.scan(slip).who) == Observer.seat(0)
    seat.give(anna)
    assert seat.sees(phone.who) == Observer.spectator()


def test_the_phone_of_a_substitute_stays_when_the_desk_unlinks_who_has_gone(seat: Seat, anna: User) -> None:
    seat.give(anna)
    phone = Phone()
    phone.scan(seat.print_codes()[0])
    seat.give(None)
    assert seat.sees(phone.who) == Observer.seat(0)


def test_the_same_account_linked_again_has_its_seat_back(seat: Seat, anna: User) -> None:
    seat.give(anna)
    phone = Phone()
    phone.scan(seat.print_codes()[0])
    seat.give(anna)
    assert (seat.sees(phone.who), seat.sees(anna)) == (Observer.spectator(), Observer.seat(0))


def test_a_scorers_code_leaves_the_players_where_they_are(
    open_round: Opened, fredi: User, anna: User
) -> None:
    seat = Seat(open_round("sheet", "sheet"), fredi)
    seat.give(anna)
    phone = Phone()
    phone.scan(seat.print_codes()[0])
    assert Access.objects.filter(game=seat.game, user=anna, role="seat").exists()
    seat.give(fredi)
    assert phone.who.token is not None, "the table's own phone is nobody's seat"


def test_seats_of_many_rounds_are_given_at_once(
    anna: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    places = {table().pk: number for number in range(4)}
    with django_assert_max_num_queries(6):
        seats.give_to_account(places, "a" * 32, anna)
    assert Access.objects.filter(user=anna, game__in=places).count() == len(places)
