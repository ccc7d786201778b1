"""A seat is given to two people concurrently, in separate threads, on both databases: one of them gets it."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from engine import Observer
from games.errors import Forbidden
from games.models import Access, User
from games.rights import observers, tokens
from games.rights.sessions import SessionStore
from tests.games.databases import in_threads
from tournaments.models import Entry
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries, seat_codes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.usefixtures("real_database")
RACES = 6


class Evening:
    """One online table; Anna's account is linked to the entry at its seat 0."""

    def __init__(self) -> None:
        self.fredi, self.anna, self.heidi = (
            User.objects.create(username=name) for name in ("fredi", "anna", "heidi")
        )
        made = championships.create(actor=self.fredi, name="Clubabend", changes={"rounds": 1})
        people = [entries.NewEntry(name, status="arrived") for name in ("Anna", "Beat", "Chiara", "Dario")]
        numbers = [entry.number for entry in entries.add_entries(made, people, actor=self.fredi)]
        drawn = made.rounds.get()
        seating_by_hand.seat_by_hand(drawn, [numbers], actor=self.fredi)
        rounds.set_mode(drawn.tables.get(), "dealt", actor=self.fredi)
        self.round = rounds.open_round(drawn, actor=self.fredi)
        self.table = self.round.tables.select_related("game").get()
        self.give(self.anna)

    def give(self, user: User) -> None:
        entry = Entry.objects.get(pk=self.table.seatings.get(seat=0).entry_id)
        entries.link_account(entry, user, actor=self.fredi)

    def code(self) -> str:
        issued = seat_codes.issue_codes(self.round, actor=self.fredi)
        return next(code.token for code in issued if code.seat == 0)

    def sits(self, user: Any, session: SessionStore) -> bool:
        assert self.table.game is not None
        seen = observers.find_observer(self.table.game, observers.build_principal(user, session))
        return seen == Observer.seat(0)


@pytest.fixture
def evening() -> Evening:
    return Evening()


@pytest.mark.long(1)
def test_of_a_phone_and_an_account_that_get_a_seat_at_once_one_has_it(evening: Evening) -> None:
    for _ in range(RACES):
        code, phone = evening.code(), SessionStore()
        phone.create()
        ended = in_threads(
            [lambda: evening.give(evening.heidi), lambda: tokens.redeem(code, phone)]  # noqa: B023 - the threads end within this turn of the loop
        )
        assert all(not isinstance(one, Exception) or isinstance(one, Forbidden) for one in ended), ended
        on_phone = evening.sits(AnonymousUser(), phone)
        with_account = evening.sits(evening.heidi, SessionStore())
        assert (on_phone, with_account) in {(True, False), (False, True)}
        evening.give(evening.anna)


def test_of_a_phone_and_whoever_is_given_his_seat_back_at_once_one_has_it(evening: Evening) -> None:
    for _ in range(RACES):
        code, phone = evening.code(), SessionStore()
        phone.create()
        Access.objects.filter(game=evening.table.game_id, user=evening.anna).delete()
        table = evening.round.tables.select_related("game", "round__championship").get()
        give_back, scan = in_threads(
            [
                lambda: seat_codes.give_seat_back(table, 0, actor=evening.fredi),  # noqa: B023 - the threads end within this turn of the loop
                lambda: tokens.redeem(code, phone),  # noqa: B023 - the threads end within this turn of the loop
            ]
        )
        assert not isinstance(give_back, Exception), give_back
        assert not isinstance(scan, Exception) or isinstance(scan, Forbidden), scan
        assert evening.sits(AnonymousUser(), phone) != evening.sits(evening.anna, SessionStore())
        evening.give(evening.anna)


def test_of_two_accounts_that_get_a_seat_at_once_one_has_it(evening: Evening) -> None:
    for _ in range(RACES):
        ended = in_threads([lambda: evening.give(evening.heidi), lambda: evening.give(evening.anna)])
        assert ended == [None, None]
        (row,) = Access.objects.filter(game=evening.table.game_id, role="seat")
        assert row.user_id == evening.table.seatings.get(seat=0).entry.user_id
