"""Games for the demo: tables played to the end by bots, and the record of a table with a revoke.

The record is always the same: the engine plays its deals from fixed seeds.
"""

import hashlib
from functools import cache
from typing import Any, Final, NamedTuple

from engine import (
    Event,
    Observer,
    State,
    cards,
    decide,
    decode_command,
    legal_cards,
    redact_events,
    replay,
    snapshot,
    to_act,
    to_dict,
)
from engine.commands import Rule
from engine.ruling import preview_ruling
from games import game_state
from games.bots import choose
from games.models import Seat
from games.play.submit import submit
from games.randomness.dealing import Source, deck
from tournaments.presets import PRESETS

CONTRACTS: Final = ("spades", "hearts", "obenabe")
DEALS_WHOLE: Final = 2
CARDS_OF_THIRD = 14
WORTH_A_DISPUTE: Final = 25
SUIT: Final = 9  # cards of a suit in a mask


class ScribedGame(NamedTuple):
    """The commands of a transcribed game as a scribe would send them, and the seat, deal and trick of a
    revoke.
    """

    commands: list[dict[str, Any]]
    seat: int
    deal: int
    trick: int


def play_out_with_bots(game_id: str) -> None:
    """Let bots play every seat of a dealt game to its end. Commands are submitted as the seats' players."""
    refs = dict(Seat.objects.filter(game=game_id).values_list("number", "player_ref"))
    while True:
        now = game_state.load_snapshot(game_id)
        turn = to_act(now.state)
        if turn is None or turn.seat is None:
            return
        view = replay(redact_events(now.events, Observer.seat(turn.seat)))
        chance = hashlib.sha256(f"{game_id}:{now.head.seq}".encode()).digest()
        command = choose(view, turn.seat, chance)
        submit(game_id, command, actor=refs[turn.seat], command_id=f"demo:{now.head.seq}")


@cache
def with_revoke() -> ScribedGame:
    """Play with seeds in turn; return the first game whose record proves a revoke in the second deal."""
    for seed in range(100):
        record = _play_record(Source(bytes([seed]) * 32))
        if record is not None:
            return record
    raise AssertionError("a hundred seeds hold a revoke")


def _play_record(source: Source) -> ScribedGame | None:
    table, record = _Transcript(), _Transcript()  # the table with all its cards; the scorer's record
    commands: list[dict[str, Any]] = []
    revoke: tuple[int, int] | None = None

    def both(command: dict[str, Any]) -> None:
        seen = {key: value for key, value in command.items() if key != "deck"}
        table.take(command)
        record.take(seen)
        commands.append(seen)

    for deal in range(1, DEALS_WHOLE + 2):
        dealer = {"dealer": 3} if deal == 1 else {}
        both({"cmd": "deal", "deck": deck(source, 1, deal), **dealer})
        left = 36 if deal <= DEALS_WHOLE else CARDS_OF_THIRD
        while left and (turn := to_act(table.state)) is not None and turn.seat is not None:
            command = to_dict(choose(table.seen_by(turn.seat), turn.seat, bytes(32)))
            if command["cmd"] == "play":
                left -= 1
                wrong = _wrong_card(table.state) if deal == DEALS_WHOLE and revoke is None else None
                if wrong is not None:
                    revoke = (turn.seat, len(table.state.tricks) + 1)
                    command = {"cmd": "play", "seat": turn.seat, "card": wrong}
            both(command)
    if revoke is None or not record.proves(revoke):
        return None
    return ScribedGame(commands, seat=revoke[0], deal=DEALS_WHOLE, trick=revoke[1])


class _Transcript:
    """A transcribed game whose state is updated after each command."""

    def __init__(self) -> None:
        self.state = State()
        self.events: list[Event] = []
        play = PRESETS["santiago"].play
        start = {"cmd": "start", "variant": play.variant, "preset": play.preset, "seats": play.seats}
        self.take({**start, "mode": "transcribed"})

    def take(self, command: dict[str, Any]) -> None:
        events = decide(self.state, decode_command(command))
        self.events += events
        self.state = replay(events, self.state)

    def seen_by(self, seat: int) -> State:
        return replay(redact_events(self.events, Observer.seat(seat)))

    def proves(self, revoke: tuple[int, int]) -> bool:
        """Return whether the record proves exactly this revoke (seat, trick), and the ruling costs that side
        enough.
        """
        seat, trick = revoke
        found = snapshot(self.state, Observer.referee())["infractions"]
        if [(i["code"], i["deal"], i["seat"], i["trick"]) for i in found] != [
            ("revoke", DEALS_WHOLE, seat, trick)
        ]:
            return False
        ruling = Rule(
            kind="award_from_trick", deal=DEALS_WHOLE, trick=trick, against=seat, reason="would it matter?"
        )
        outcome = preview_ruling(self.state.copy(), ruling)
        return outcome.totals_before[seat % 2] - outcome.totals_after[seat % 2] >= WORTH_A_DISPUTE


def _wrong_card(state: State) -> str | None:
    """Return an illegal card for a player to act who has at least two legal cards of the suit led.

    Returns None before the third trick, after the sixth, or if there is no such player or card.
    """
    if not state.trick or not 2 <= len(state.tricks) <= 5:
        return None
    turn = to_act(state)
    if turn is None or turn.seat is None:
        return None
    legal = legal_cards(state, turn.seat)
    led = ((1 << SUIT) - 1) << state.trick[0] // SUIT * SUIT
    if (legal & led).bit_count() < 2:
        return None
    return next(iter(cards.codes(int(state.hands[turn.seat] or 0) & ~legal)), None)
