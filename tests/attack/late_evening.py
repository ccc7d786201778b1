"""An evening of four tables that are shown late, and what happens there: for the two worlds of
tests/attack/test_delayed_broadcast_pages.py.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final

from django.test import Client

from games import game_state
from games.models import Access, Game
from games.play.submit import submit
from games.rights import tokens
from games.timers import deadlines
from tests.frontend.evening import client, opened, person, table
from tests.frontend.pages import series_with
from tests.games.cast import next_command, table_code
from tests.tournaments.table_play import confirm, enter, game_of, refs
from tournaments import demo_record
from tournaments.models import Entry, OwnPage, Table
from tournaments.services import broadcast_delay, championship_seals
from tournaments.services.entries import entries
from tournaments.services.referee import disputes, opened_hands
from tournaments.services.rounds import breaking_off

BEGUN: Final = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
MINUTES: Final = 5
SLUG: Final = "herbstcup"
MODES: Final = ("dealt", "transcribed", "sheet", "dealt")
QUIET: Final = 4
"""The table at which nothing happens meanwhile; Otto sits there."""


class Clock:
    def __init__(self) -> None:
        self.now = BEGUN

    def go_on(self, minutes: float) -> None:
        """Time passes, minute by minute, and workers do what is due: seals, and what is to be shown."""
        for _ in range(int(minutes)):
            self.now += timedelta(minutes=1)
            for number in deadlines.due(self.now):
                deadlines.run(number)
            championship_seals.seal_if_possible(
                Table.objects.select_related("round__championship")[0].round.championship
            )


class Evening:
    """Four tables of a round that is shown late, and who is there. MORE: what else the championship has."""

    MORE: ClassVar[dict[str, Any]] = {}

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.round = opened(*MODES, people=16, **self.MORE)
        series_with(self.round.championship)
        person("eva")  # an account states when it was made
        entered = self.round.championship.entries.order_by("number")
        seat = table(self.round, QUIET).seatings.select_related("entry").get(seat=0).entry
        if seat.user_id is None:
            entries.link_account(seat, person("otto"), actor=person("fredi"))
        zita = Entry.objects.create(
            championship=self.round.championship,
            number=99,
            name="Zita",
            player_ref="z" * 32,
            status="arrived",
        )
        entries.link_account(zita, person("zita"), actor=person("fredi"))
        anna = table(self.round, 1).seatings.select_related("entry").get(seat=0).entry
        for one in entered.filter(user=person("anna")):
            entries.link_account(one, None, actor=person("fredi"))
        entries.link_account(anna, person("anna"), actor=person("fredi"))
        for each in Table.objects.all():
            Access.objects.create(
                game=game_of(each), user=person("friend"), role="spectator", tier="after_deal"
            )
        for number in (1, 2, 3):
            seated = table(self.round, number).seatings.get(seat=0).entry_id
            digest = tokens.hash_token(f"own{number}")
            OwnPage.objects.create(entry_id=seated, digest=digest, salt="s", language="en")
        broadcast_delay.set_delay(self.round, MINUTES, actor=person("fredi"))
        self.transcript = demo_record.with_revoke().commands
        self.written = 0

    def game(self, number: int) -> Game:
        return game_of(table(self.round, number))

    def play(self, number: int, moves: int) -> None:
        game = self.game(number)
        for _ in range(moves):
            command = next_command(game)
            if command is None:
                return
            players = refs(table(self.round, number))
            seq = game_state.load_snapshot(game.pk).head.seq
            submit(game.pk, command, actor=players[command.seat], command_id=f"m{seq}")

    def write_down(self, commands: int) -> None:
        one = table(self.round, 2)
        players = refs(one)
        for number in range(self.written, self.written + commands):
            command = self.transcript[number]
            submit(str(one.game_id), command, actor=players[command.get("seat", 0)], command_id=f"t{number}")
        self.written += commands

    def begin(self) -> None:
        """What everybody may know by now."""
        self.play(1, 45)
        self.play(QUIET, 20)
        self.write_down(30)
        enter(table(self.round, 3), 1, 100)
        confirm(table(self.round, 3), 1)

    def go_on(self) -> None:
        """What is to be seen in five minutes at the earliest."""
        self.play(1, 3)
        opened_hands.open_hand(
            table(self.round, 1), actor=person("gabi"), deal=self._deal(1), reason="Streit"
        )
        self.play(1, 90)
        self.clock.go_on(1)
        self.write_down(40)
        for deal in range(2, 9):
            enter(table(self.round, 3), deal, 90 + deal)
            confirm(table(self.round, 3), deal)
        disputes.raise_dispute(table(self.round, 1), actor=person("anna"), text="Bock!", incident="hint")
        disputes.raise_dispute(table(self.round, 2), actor=person("fredi"), text="Schaufel!", deal=1)
        breaking_off.break_off(table(self.round, 2), actor=person("fredi"), reason="Streit")
        self.clock.go_on(2)
        self.play(1, 4000)

    def _deal(self, number: int) -> int:
        return game_state.load_snapshot(self.game(number).pk).state.deal

    def client_of(self, role: str) -> Client:
        if role != "phone":
            return client(None if role == "anonymous" else role)
        phone = client()
        sent = {"token": table_code(self.game(1), "scorer")}
        phone.post("/api/v1/table-session/", sent, content_type="application/json")
        return phone
