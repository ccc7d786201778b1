"""A dismissal takes effect before an act of the official that is in flight."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from games.models import Access, User
from tests.games.databases import in_threads
from tests.tournaments.test_racing_rulings import Case
from tournaments.errors import NotAllowed
from tournaments.models import Championship, Official
from tournaments.services import locks
from tournaments.services.championships import championships, officials
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

LONG = 60.0


@pytest.mark.long(1)
def test_tables_opened_after_a_dismissal_are_open_to_those_in_office_then(real_database: str) -> None:
    fredi, gabi, heidi = (User.objects.create(username=name) for name in ("fredi", "gabi", "heidi"))
    made = championships.create(actor=fredi, name="Clubabend", changes={"rounds": 1})
    officials.appoint(made, gabi, "referee", actor=fredi)
    people = [
        entries.NewEntry(f"Person {n}", status="arrived")
        for n in range(4 * (rounds.TABLES_PER_TRANSACTION + 1))
    ]
    numbers = [entry.number for entry in entries.add_entries(made, people, actor=fredi)]
    drawn = made.rounds.get()
    seated = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
    seating_by_hand.seat_by_hand(drawn, seated, actor=fredi)

    def between(done: int, total: int) -> None:
        if done == rounds.TABLES_PER_TRANSACTION:
            officials.dismiss(made, gabi, "referee", actor=fredi)
            officials.appoint(made, heidi, "referee", actor=fredi)

    rounds.open_round(drawn, actor=fredi, progress=between)
    assert not Access.objects.filter(user=gabi).exists()
    assert Access.objects.filter(user=heidi, role="referee").count() == len(seated)


# Of two that write SQLite lets the second begin after the first.
@pytest.mark.parametrize("database_template", ["postgresql"], indirect=True, scope="session")
def test_nothing_is_ruled_or_given_by_who_was_dismissed_while_it_waited(
    real_database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = Case()
    pk = case.disputed(1)
    made = Championship.objects.get()
    director = User.objects.get(username="fredi")
    friend = User.objects.create(username="friend")
    officials.appoint(made, case.heidi, Official.Role.DIRECTOR, actor=director)
    hold = locks.lock_championship

    def late(act: Callable[[], Any], user: User, role: str) -> Any:
        waits, gone = threading.Event(), threading.Event()

        def acting() -> Any:
            mine = threading.get_ident()

            def held(key: int) -> Championship:
                if threading.get_ident() == mine:
                    waits.set()
                    assert gone.wait(LONG)
                return hold(key)

            monkeypatch.setattr(locks, "lock_championship", held)
            return act()

        def dismiss() -> None:
            assert waits.wait(LONG)
            officials.dismiss(made, user, role, actor=director)
            gone.set()

        return in_threads([acting, dismiss])[0]

    assert isinstance(late(case.rule(pk, case.gabi, 80), case.gabi, "referee"), NotAllowed)
    assert case.rulings() == []
    withdraw = partial(entries.withdraw_entry, made.entries.get(number=1), actor=case.heidi, after_round=True)
    assert isinstance(late(withdraw, case.heidi, "director"), NotAllowed)
    officials.appoint(made, case.heidi, Official.Role.DIRECTOR, actor=director)
    friendly = partial(officials.appoint, made, friend, "director", actor=case.heidi)
    assert isinstance(late(friendly, case.heidi, "director"), NotAllowed)
    assert not made.officials.filter(user=friend).exists()
