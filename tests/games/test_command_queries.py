"""The path of a move to the database: number of statements, and no waiting for other tables."""

import asyncio
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session as Stored
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from engine import Observer, encode
from games import game_state, store
from games.errors import Forbidden
from games.live import admission
from games.live.hub import MAX_CACHED_FRAMES, Hub, Watcher
from games.models import Access, Game, Stream, User
from games.observed import frames
from games.play.submit import CommandResult, submit
from games.rights import identity
from games.rights.claims import Outdated, SessionClaim
from games.rights.sessions import SessionStore
from tests.games.cast import PLAYERS, next_command, person, play, seated, table
from tests.games.live_server import Line, web_process
from tests.servers import postgres_url

pytestmark = pytest.mark.both

MAX_ROUND_TRIPS = 3


class Relay:
    """Stands between a client and PostgreSQL and counts round trips: how often the client speaks after the
    server has answered."""

    def __init__(self, to: str) -> None:
        self.round_trips = 0
        self._to = urlsplit(to)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._carry, daemon=True).start()

    def _carry(self) -> None:
        client, _ = self._listening.accept()
        self._listening.close()
        server = socket.create_connection((self._to.hostname or "127.0.0.1", self._to.port or 5432))
        other, answered = {client: server, server: client}, True
        while True:
            for heard in select.select([client, server], [], [])[0]:
                data = heard.recv(65536)
                if not data:
                    client.close()
                    server.close()
                    return
                self.round_trips += heard is client and answered
                answered = heard is server
                other[heard].sendall(data)


@contextmanager
def relayed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    """This thread's connection goes through a relay."""
    relay = Relay(postgres_url())
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(relay.port))
    try:
        connection.ensure_connection()
        yield relay
    finally:
        connection.close()
        monkeypatch.undo()


def session_of(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    assert session.session_key is not None
    return session.session_key


def next_of(game: Game, name: str) -> tuple[int, Callable[..., CommandResult]]:
    command = next_command(game)
    return command.seat, partial(submit, game.id, command, command_id=name)


@pytest.mark.parametrize("clock", [None, 30])
def test_a_move_takes_few_round_trips(
    real_database: str, monkeypatch: pytest.MonkeyPatch, clock: int | None
) -> None:
    with ExitStack() as stack:
        relay = stack.enter_context(relayed(monkeypatch)) if real_database == "postgresql" else None
        for lap in range(2):  # in the first statements are prepared
            game = play(table(turn_seconds=clock), 3)
            claims = [identity.load_claim(session_of(user)) for user in seated(game)]
            for number in range(6):
                seat, send = next_of(game, f"c{number}")
                before = 0 if relay is None else relay.round_trips
                with CaptureQueriesContext(connection) as asked:
                    send(actor=claims[seat], wait=False)
                if relay is None:
                    # BEGIN, head, row, bots, receipt, who; head, receipt, event; row, clock; COMMIT.
                    assert len(asked) == (11 if clock is None else 12), asked.captured_queries
                elif lap:
                    # BEGIN, head, row, bots, receipt, who; append, row, clock; COMMIT.
                    assert 0 < relay.round_trips - before <= MAX_ROUND_TRIPS


def test_who_changes_his_session_goes_on_and_who_changes_his_password_does_not(db: None) -> None:
    game = play(table(), 3)
    people = seated(game)
    seat, send = next_of(game, "c")
    key = session_of(people[seat])
    claim = identity.load_claim(key)
    session = SessionStore(key)
    session["_language"] = "de"
    session.save()
    with pytest.raises(Outdated):
        send(actor=claim)
    claim = identity.load_claim(key)
    assert send(actor=claim).last_seq == store.read_head(game.id).seq
    seat, send = next_of(game, "d")
    claim = identity.load_claim(session_of(people[seat]))
    people[seat].set_password("another")
    people[seat].save()
    with pytest.raises(Outdated):
        send(actor=claim)
    assert claim.session is not None
    identity.load_claim(claim.session.key)  # which ends the session
    claim = identity.load_claim(claim.session.key)
    with pytest.raises(Forbidden) as refused:
        send(actor=claim)
    assert refused.value.code == "access/no_role"


def test_a_command_of_a_stranger_has_nothing_loaded(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    _, send = next_of(play(table(), 3), "c")
    claim = identity.load_claim(session_of(person("otto")))
    monkeypatch.setattr(game_state, "load_snapshot", lambda *_: pytest.fail("the game was loaded"))
    with pytest.raises(Forbidden) as refused:
        send(actor=claim)
    assert refused.value.code == "access/no_role"


def test_who_may_no_longer_see_is_found_among_many_with_a_few_statements(db: None) -> None:
    def entries(game: Game, users: list[User]) -> list[admission.Admission]:
        found = admission.admit_sessions([(session_of(user), game.id) for user in users] + [(None, game.id)])
        return [entry for entry in found if entry is not None]

    first, *others = [play(table(), 3) for _ in range(6)]
    users = [person(f"p{seat}", first, "seat", seat) for seat in range(4)]
    everybody = entries(first, users)
    with CaptureQueriesContext(connection) as few:
        assert admission.find_revoked(everybody) == [False] * 5
    for number, game in enumerate(others):
        everybody += entries(game, [person(f"g{number}{seat}", game, "seat", seat) for seat in range(4)])
    with CaptureQueriesContext(connection) as more:
        assert admission.find_revoked(everybody) == [False] * 30
    assert len(more) == len(few) <= 4
    session = SessionStore(everybody[0].claim.session.key)  # type: ignore[union-attr]  # all are signed in
    session["_language"] = "de"
    session.save()
    assert admission.find_revoked(everybody) == [False] * 30
    Access.objects.filter(user=users[1]).delete()
    Stored.objects.filter(session_key=everybody[2].claim.session.row).delete()  # type: ignore[union-attr]  # all are signed in
    Game.objects.filter(pk=others[0].pk).update(visibility="private")
    User.objects.filter(pk=everybody[10].claim.principal.user.pk).update(is_active=False)  # type: ignore[union-attr]  # all are signed in
    gone = [number for number, lost in enumerate(admission.find_revoked(everybody)) if lost]
    assert gone == [1, 2, 9, 10]


def test_a_process_reads_what_another_has_stored_by_one_statement(
    real_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        relay = stack.enter_context(relayed(monkeypatch)) if real_database == "postgresql" else None
        game = play(table(), 3)
        before = game_state.load_snapshot(game.id)
        play(game, 2)
        there = game_state.load_snapshot(game.id)
        game_state.KEPT.clear()
        game_state.cache_snapshot(before)
        passed = 0 if relay is None else relay.round_trips
        with CaptureQueriesContext(connection) as asked:
            here = game_state.load_snapshot(game.id)
            again = game_state.load_snapshot(game.id)
        assert (len(asked) if relay is None else relay.round_trips - passed) == 2
        assert again is here
        assert (here.head, here.events, here.head) == (there.head, there.events, store.read_head(game.id))


def test_what_was_kept_of_a_transaction_that_never_happened_is_read_anew(db: None) -> None:
    game = play(table(), 3)
    before = game_state.load_snapshot(game.id)
    with transaction.atomic():
        play(game, 2)
        never = game_state.load_snapshot(game.id)
        transaction.set_rollback(True)
    for kept in (never, msgspec.structs.replace(before, head=store.Head(before.head.seq, b"?" * 32))):
        game_state.KEPT.clear()
        game_state.cache_snapshot(kept)
        assert game_state.load_snapshot(game.id).events == before.events
        assert game_state.load_snapshot(game.id).head == store.read_head(game.id) == before.head


def test_who_reads_again_from_everywhere_fills_no_memory(db: None) -> None:
    game = play(table(), 20)
    now = game_state.load_snapshot(game.id)

    class Sent:
        def __init__(self) -> None:
            self.texts: list[str] = []

        def put(self, message: dict[str, Any], seq: int) -> None:
            self.texts.append(message["text"])

    async def read_from_everywhere() -> None:
        hub, outbox = Hub(game.id), Sent()
        await hub._advance(now)
        watcher = Watcher(cast(Any, outbox), seen)
        for since in [*range(-1, now.head.seq), -1]:
            hub.resend(watcher, since)
            assert len(hub._cached_frames) <= MAX_CACHED_FRAMES
        assert len(outbox.texts) == now.head.seq + 2 > MAX_CACHED_FRAMES
        assert outbox.texts[0] == outbox.texts[-1] == frames.EventFrames(now, -1).frame(seen.observer)

    seen = admission.Admission(game, SessionClaim(), Observer.spectator())
    asyncio.run(read_from_everywhere())


@pytest.mark.parametrize("database_template", ["postgresql"], indirect=True)
def test_tables_whose_rows_are_locked_hold_up_no_other(real_database: str, tmp_path: Path) -> None:
    games = [play(table(), 3) for _ in range(9)]
    people = [seated(game) if number == 0 else None for number, game in enumerate(games)]
    users = people[0]
    assert users is not None
    for game in games[1:]:
        for seat, user in enumerate(users):
            Access.objects.create(game=game, user=user, role="seat", seat=seat, ref=PLAYERS[seat])
    *locked, free = games
    with (
        web_process(tmp_path, {"DJANGO_SETTINGS_MODULE": "tests.bench._live_settings"}) as web,
        ExitStack() as stack,
    ):
        key = {user.pk: session_of(user) for user in users}

        def line_at(game: Game) -> tuple[Line, dict[str, Any]]:
            command = next_command(game)
            cookie = f"{settings.SESSION_COOKIE_NAME}={key[users[command.seat].pk]}"
            line = stack.enter_context(web.connect(game, additional_headers={"Cookie": cookie}))
            line.frame("events")
            return line, {"command_id": "c", "command": json.loads(encode(command))}

        held = [line_at(game) for game in locked]
        going = line_at(free)
        with transaction.atomic():
            list(Stream.objects.select_for_update().filter(pk__in=[game.id for game in locked[:4]]))
            list(Game.objects.select_for_update().filter(pk__in=[game.id for game in locked[4:]]))
            for line, command in held:
                line.say(command)
            line, command = going
            line.say(command)
            assert line.frame("ack")["command_id"] == "c"
            assert [store.read_head(game.id).seq for game in locked] == [game.head_seq for game in locked]
        for line, _ in held:
            assert line.frame("ack")["command_id"] == "c"
