"""A lost seat ends at once: on the open socket, and for a command in flight."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from engine import encode
from games import store
from games.api import views
from games.errors import Forbidden
from games.live import batching, hub_polling, hub_registry
from games.live import hub as hubs
from games.live.admission import Admission
from games.live.hub import Hub, Watcher, disconnect_revoked
from games.live.hub_registry import HubRegistry
from games.live.threads import ThreadPool
from games.models import Game, TableToken, User
from games.play.submit import CommandResult, submit
from games.rights import seats, tokens
from games.rights.claims import Principal, SessionClaim
from games.rights.sessions import SessionStore
from tests.games.cast import ANNA, next_command, person, play, seated, table, table_code
from tests.games.databases import in_threads
from tests.games.live_server import WebProcess

pytestmark = pytest.mark.both

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.bench._live_settings"}
"""A heartbeat a day: nobody is let go because of one."""
RACES = 6


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


@pytest.mark.long(1)
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


def sent_while(
    monkeypatch: pytest.MonkeyPatch, phone: Client, game: Game, happens: Callable[[], object]
) -> tuple[int, str]:
    """What is answered to a command that was let in before something happened, and is stored after it:
    status and code."""
    body = b'{"command_id": "late", "command": ' + encode(next_command(game)) + b"}"

    def too_late(*args: Any, **more: Any) -> CommandResult:
        monkeypatch.setattr(views, "submit", submit)
        happens()
        return submit(*args, **more)

    monkeypatch.setattr(views, "submit", too_late)
    answer = phone.post(f"/api/v1/games/{game.id}/commands/", body, content_type="application/json")
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.django_db
def test_a_command_that_was_let_in_before_the_code_ended_is_not_stored_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = play(table(), 2)
    phone, row = phone_at(game, next_command(game).seat)
    before = store.read_head(game.id).seq
    ends = TableToken.objects.filter(pk=row.pk).delete
    assert sent_while(monkeypatch, phone, game, ends) == (403, "access/no_role")
    assert store.read_head(game.id).seq == before


def signed_out(user: User) -> None:
    Session.objects.all().delete()


def password_changed(user: User) -> None:
    user.set_password("another")
    user.save()


def deactivated(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.django_db
@pytest.mark.parametrize("how", [signed_out, password_changed, deactivated])
def test_a_command_that_was_let_in_before_the_session_ended_is_not_stored_after_it(
    monkeypatch: pytest.MonkeyPatch, how: Callable[[User], None]
) -> None:
    game = play(table(), 2)
    user, client = seated(game)[next_command(game).seat], Client()
    client.force_login(user)
    before = store.read_head(game.id).seq
    assert sent_while(monkeypatch, client, game, partial(how, user)) == (403, "access/no_role")
    assert store.read_head(game.id).seq == before


@pytest.mark.django_db
def test_a_phone_whose_session_was_ended_sends_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play(table(), 2)
    phone, _row = phone_at(game, next_command(game).seat)
    before = store.read_head(game.id).seq
    assert sent_while(monkeypatch, phone, game, Session.objects.all().delete) == (403, "access/no_role")
    assert store.read_head(game.id).seq == before


@pytest.mark.django_db
def test_who_changes_his_language_meanwhile_has_sent_his_command(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play(table(), 2)
    user, client = seated(game)[next_command(game).seat], Client()
    client.force_login(user)

    def language() -> None:
        session = SessionStore(client.session.session_key)
        session["_language"] = "de"
        session.save()

    assert sent_while(monkeypatch, client, game, language) == (201, "")


def test_nothing_of_a_phone_is_stored_once_its_code_has_ended(real_database: str) -> None:
    for _ in range(RACES):
        game = play(table(), 2)
        command = next_command(game)
        _phone, row = phone_at(game, command.seat)
        who = SessionClaim(Principal(token=row))

        def end() -> int:
            tokens.revoke(row)  # noqa: B023 - the thread ends within this turn of the loop
            return store.read_head(game.id).seq  # noqa: B023 - the thread ends within this turn of the loop

        sent, seq = in_threads([partial(submit, game.id, command, actor=who, command_id="sent"), end])
        assert isinstance(sent, CommandResult | Forbidden), sent
        assert store.read_head(game.id).seq == seq


def test_who_scans_a_seat_waits_for_what_is_being_stored_there(real_database: str) -> None:
    """What the holder of before has sent is stored before the seat is another's, or not at all."""
    game = table()
    code, session = table_code(game, "seat", 0, ref=ANNA), SessionStore()
    session.create()
    held, over = threading.Event(), threading.Event()
    setting = "SET lock_timeout = 200" if real_database == "postgresql" else "PRAGMA busy_timeout = 200"

    def store_something() -> None:
        with transaction.atomic():
            seats.lock_games([game.id])
            held.set()
            over.wait(60)

    def scan() -> None:
        try:
            assert held.wait(60)
            with connection.cursor() as cursor:
                cursor.execute(setting)
            tokens.redeem(code, session)
        finally:
            over.set()

    _, refused = in_threads([store_something, scan])
    assert isinstance(refused, OperationalError), refused
    assert tokens.redeem(code, session).game_id == game.id


class Sent:
    """What is said to a socket, and with which codes it is closed: nothing is said after that."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.codes: list[int] = []

    def put(self, message: dict[str, Any], seq: int) -> None:
        if not self.codes:
            self.said.append(message["text"])

    def close(self, code: int) -> None:
        self.codes.append(code)


def ended(row: TableToken) -> None:
    """The code is no longer good, and nobody gives a hint."""
    TableToken.objects.filter(pk=row.pk).update(revoked_at=timezone.now())


@pytest.fixture
def thread(real_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadPool]:
    """One that reads the database of this test, where those of the process keep the connections they have."""
    own = ThreadPool("of-a-test", 1)
    for module in (hubs, batching, hub_polling, hub_registry):
        monkeypatch.setattr(module, "in_read_thread", own.run)
    yield own
    asyncio.run(own.run(connections.close_all))


@pytest.mark.parametrize("others", [0, 1])
def test_whose_code_ends_after_he_was_let_in_is_shown_nothing(thread: ThreadPool, others: int) -> None:
    game = play(table(), 2)
    phone, row = phone_at(game, 0)
    key = phone.cookies[settings.SESSION_COOKIE_NAME].value

    async def attached() -> Sent:
        registry, sent = HubRegistry(), Sent()
        entry = await registry.admit(key, game.id)
        eva = await registry.admit(None, game.id)
        assert entry is not None
        assert eva is not None
        for _ in range(others):
            await registry.attach(game.id, Watcher(cast(Any, Sent()), eva), -1)
        await thread.run(ended, row)
        await registry.attach(game.id, Watcher(cast(Any, sent), entry), -1)
        return sent

    sent = asyncio.run(attached())
    assert (sent.said, sent.codes[0]) == ([], 4403)


def test_whose_code_has_ended_without_a_hint_is_let_go_before_the_next_hands(thread: ThreadPool) -> None:
    game = play(table(deals=2), 2)
    phone, row = phone_at(game, 0)
    key = phone.cookies[settings.SESSION_COOKIE_NAME].value

    async def watched() -> Sent:
        registry, sent = HubRegistry(), Sent()
        entry = await registry.admit(key, game.id)
        assert entry is not None
        hub = await registry.attach(game.id, Watcher(cast(Any, sent), entry), -1)
        await thread.run(ended, row)
        await thread.run(play, game, 40)
        await hub.send_new_events(hub.seq + 1)
        return sent

    sent = asyncio.run(watched())
    assert game.deal == 2
    assert (len(sent.said), sent.codes) == (1, [4403])


def test_a_hint_that_comes_while_somebody_is_on_his_way_reaches_him(thread: ThreadPool) -> None:
    game = play(table(), 2)
    phone, row = phone_at(game, 0)
    key = phone.cookies[settings.SESSION_COOKIE_NAME].value

    async def attached() -> Sent:
        hub, sent = Hub(game.id), Sent()
        entry = await HubRegistry().admit(key, game.id)
        assert entry is not None

        async def asked_too_early(_: Admission) -> bool:
            await thread.run(ended, row)
            await disconnect_revoked(hub.list_watchers())
            return True

        await hub.attach(Watcher(cast(Any, sent), entry), -1, asked_too_early)
        return sent

    sent = asyncio.run(attached())
    assert (sent.said, sent.codes) == ([], [4403])
