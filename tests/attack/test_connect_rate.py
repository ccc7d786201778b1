"""Whoever opens sockets without end is told to wait; a hall that comes back at once is let in, and whoever
has signed in or has a seat is not stopped by what others at his address do.
"""

import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as platform
from django.contrib.sessions.backends.base import SessionBase
from django.test import Client
from pytest_django.fixtures import Settings

from games.guests import open_guest_table
from games.live import socket_rate_limits
from games.live.socket_rate_limits import (
    ADDRESS_CONNECT_BUDGET,
    PERSON_CONNECT_BUDGET,
    SOCKETS_PER_ADDRESS,
    SOCKETS_PER_PERSON,
    ConnectRateLimit,
)
from games.rights import identity
from games.rights.sessions import SessionStore
from tests.games import databases
from tests.games.cast import person, play, seated, table, table_code
from tests.games.live_server import web_process

ADDRESS = "192.0.2.1"
HALL = socket_rate_limits.address_key(ADDRESS)


@pytest.fixture
def counted(settings: Settings) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{secrets.token_hex(4)}"


@pytest.mark.usefixtures("counted")
def test_a_hall_that_comes_back_at_once_is_let_in_and_who_goes_on_knocking_waits() -> None:
    one, other = ConnectRateLimit(), ConnectRateLimit()
    assert set(one.count([HALL] * SOCKETS_PER_ADDRESS)) == {0}, "after a restart"
    assert set(other.count([HALL] * SOCKETS_PER_ADDRESS)) == {0}, "and after another, at the other process"
    assert 0 < other.count([HALL])[0] <= ADDRESS_CONNECT_BUDGET.seconds
    assert 0 < one.count([HALL])[0] <= ADDRESS_CONNECT_BUDGET.seconds
    elsewhere, anna = socket_rate_limits.address_key("198.51.100.1"), "user:1"
    assert one.count([HALL, elsewhere, anna])[1:] == [0, 0]


@pytest.mark.usefixtures("counted")
def test_all_pages_of_one_person_come_back_several_times() -> None:
    new = ConnectRateLimit()
    assert [set(new.count(["token:1"] * SOCKETS_PER_PERSON)) for _ in range(5)] == [{0}] * 5
    assert 0 < new.count(["token:1"])[0] <= PERSON_CONNECT_BUDGET.seconds
    assert new.count(["token:2"]) == [0]


@pytest.mark.usefixtures("counted")
def test_who_was_told_to_wait_is_not_asked_about_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ADDRESS_CONNECT_BUDGET, "most", 1)
    new = ConnectRateLimit()
    assert new.wait(HALL) == 0
    assert [new.count([HALL]), new.wait(HALL)] == [[0], 0]
    assert new.count([HALL])[0] == new.wait(HALL) > 0
    assert new.wait(socket_rate_limits.address_key("198.51.100.1")) == 0


@pytest.mark.usefixtures("counted")
def test_a_process_forgets_whom_it_has_sent_away_before_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ADDRESS_CONNECT_BUDGET, "most", 0)
    monkeypatch.setattr(socket_rate_limits, "MAX_KEPT", 3)
    new = ConnectRateLimit()
    for number in range(8):
        assert new.count([socket_rate_limits.address_key(f"192.0.2.{number}")])[0] > 0
    assert len(new._refused_until) <= 4


def counts_as(session: SessionBase) -> socket_rate_limits.SocketLimit:
    session.save()
    return socket_rate_limits.socket_limit(identity.load_claim(session.session_key), ADDRESS)


@pytest.mark.django_db
def test_guests_count_with_their_address_and_seats_of_a_championship_do_not() -> None:
    """A table against bots is anybody's at one press: 200 of them were places for 1,600 sockets."""
    guests = [SessionStore() for _ in range(3)]
    for session in guests:
        open_guest_table("schieber", session, ADDRESS)
    assert {counts_as(session) for session in guests} == {(HALL, SOCKETS_PER_ADDRESS)}
    assert counts_as(SessionStore()) == (HALL, SOCKETS_PER_ADDRESS)

    phone, code = Client(), table_code(table(), "seat", 0)
    phone.post("/api/v1/table-session/", {"token": code}, content_type="application/json")
    who, most = counts_as(phone.session)
    assert (who.partition(":")[0], most) == ("token", SOCKETS_PER_PERSON)


@pytest.mark.django_db
def test_a_guest_who_has_signed_in_counts_for_himself() -> None:
    client = Client()
    client.force_login(user := person("anna"))
    session = client.session
    open_guest_table("schieber", session, ADDRESS)
    assert counts_as(session) == (f"user:{user.pk}", SOCKETS_PER_PERSON)


FEW = 12
"""Sockets of an address in tests.games.live_settings."""


@pytest.mark.slow
def test_strangers_who_knock_without_end_are_sent_away_by_every_process_and_anna_comes_in(
    tmp_path: Path, django_db_blocker: Any
) -> None:
    settings = {
        "DJANGO_SETTINGS_MODULE": "tests.games.live_settings",
        "PUUR_LIMITS": "1",
        "PUUR_CHANNEL_PREFIX": f"knocking-{secrets.token_hex(4)}",
    }
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        stack.enter_context(databases.clone(databases.template("sqlite"), tmp_path))
        webs = [stack.enter_context(web_process(tmp_path, settings)) for _ in range(2)]
        game = play(table(), 3)
        anna = seated(game)[0]
        for _ in range(2):  # all of a hall, and once more
            with ExitStack() as hall:
                lines = [hall.enter_context(webs[n % 2].connect(game)) for n in range(FEW)]
                assert [line.frame()["kind"] for line in lines] == ["events"] * FEW
        for web in webs * 2:
            for unknown in ("", f"{platform.SESSION_COOKIE_NAME}={'x' * 32}"):
                with web.connect(game, additional_headers={"Cookie": unknown}) as line:
                    refused = line.frame()
                    assert (refused["code"], line.closing_code()) == ("http/throttled", 4429)
                    assert 0 < refused["params"]["seconds"] <= ADDRESS_CONNECT_BUDGET.seconds
            with web.connect(game, anna) as line:
                assert line.frame()["kind"] == "events"
