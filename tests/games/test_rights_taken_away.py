"""Who loses a seat loses it at once: on the socket he has open, and with the command he has just sent."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from msgspec import Raw

from engine import encode
from games import access, seats, sending, store, tokens
from games.api.requests import CommandRequest
from games.errors import Forbidden
from games.models import Game, TableToken
from games.submit import Submitted
from tests.games.cast import ANNA, next_command, person, play, seated, table, table_code
from tests.games.databases import in_threads
from tests.games.live_server import WebProcess, place

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.bench._live_settings"}
"""A heartbeat a day: nobody is let go because of one."""
RACES = 6


@pytest.fixture(scope="module")
def web(
    database_template: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> Iterator[WebProcess]:
    with place(database_template, tmp_path_factory, django_db_blocker, **SETTINGS) as process:
        yield process


def phone_at(game: Game, seat: int) -> tuple[Client, TableToken]:
    """A phone that has scanned a new code of this seat."""
    phone = Client()
    token = table_code(game, "seat", seat, ref=ANNA)
    answer = phone.post("/api/v1/table-session/", {"token": token}, content_type="application/json")
    assert answer.status_code == 201
    return phone, TableToken.objects.latest("pk")


def cookie(phone: Client) -> dict[str, str]:
    name = settings.SESSION_COOKIE_NAME
    return {"Cookie": f"{name}={phone.cookies[name].value}"}


def code_ended(game: Game, row: TableToken) -> None:
    tokens.revoke(row)


def account_linked(game: Game, row: TableToken) -> None:
    seats.give_to_account({game.id: 0}, ANNA, person("heidi"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [code_ended, account_linked])
def test_a_socket_is_let_go_without_waiting_for_a_beat_and_the_others_stay(
    web: WebProcess, how: Callable[[Game, TableToken], None]
) -> None:
    game = table()
    (mine, row), (others, _) = phone_at(game, 0), phone_at(game, 1)
    with (
        web.connect(game, additional_headers=cookie(mine)) as gone,
        web.connect(game, additional_headers=cookie(others)) as neighbour,
        web.connect(game) as eva,
    ):
        for line in (gone, neighbour, eva):
            line.frame("events")
        how(game, row)
        assert gone.closing_code() == 4403
        play(game, 1)
        assert [line.frame()["kind"] for line in (neighbour, eva)] == ["events", "events"]


def test_an_account_is_let_go_as_soon_as_a_phone_scans_its_seat(web: WebProcess) -> None:
    game = table()
    anna = seated(game)[0]
    with web.connect(game, anna) as line:
        line.frame("events")
        phone_at(game, 0)
        assert line.closing_code() == 4403


@pytest.mark.django_db
def test_a_command_that_was_let_in_before_the_code_ended_is_not_stored_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = play(table(), 2)
    command = next_command(game)
    phone, row = phone_at(game, command.seat)
    before, hold = store.head_of(game.id).seq, store.hold

    def as_it_waits(stream: str, *questions: store.Question, **more: Any) -> Any:
        TableToken.objects.filter(pk=row.pk).delete()
        return hold(stream, *questions, **more)

    monkeypatch.setattr(store, "hold", as_it_waits)
    body = b'{"command_id": "late", "command": ' + encode(command) + b"}"
    answer = phone.post(f"/api/v1/games/{game.id}/commands/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "access/no_role")
    assert store.head_of(game.id).seq == before


def test_nothing_of_a_phone_is_stored_once_its_code_has_ended(real_database: str) -> None:
    for _ in range(RACES):
        game = play(table(), 2)
        command = next_command(game)
        _phone, row = phone_at(game, command.seat)
        who = access.Principal(token=row)

        request = CommandRequest(command_id="sent", command=Raw(encode(command)))

        def end() -> int:
            tokens.revoke(row)  # noqa: B023 - joined below
            return store.head_of(game.id).seq  # noqa: B023

        sent, seq = in_threads([partial(sending.send, game, who, request), end])
        assert isinstance(sent, Submitted | Forbidden), sent
        assert store.head_of(game.id).seq == seq
