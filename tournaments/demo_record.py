"""Play for the demo: games that bots play to their end at once, and the record of a table with a revoke.

Nothing here is chance: the record is made by playing deals out with the engine alone.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from engine import (
    Observer,
    State,
    cards,
    decide,
    decode_command,
    legal_cards,
    replay,
    snapshot,
    to_act,
    view_for,
)
from games import fold
from games.bots import choose
from games.dealing import Source, deck
from games.models import Seat
from games.submit import submit
from tournaments.presets import PRESETS

CONTRACTS: Final = ("spades", "hearts", "obenabe")
DEALS_WHOLE: Final = 2
CARDS_OF_THIRD = 14
SUIT = 9  # cards of a suit in a mask


class Record(NamedTuple):
    """Commands as the scribe would send them; who revoked where."""

    commands: list[dict[str, Any]]
    seat: int
    deal: int
    trick: int


def play_out(game_id: str) -> None:
    """Let a bot play every seat of a dealt game, as the seat's player and through `submit` like everybody."""
    refs = dict(Seat.objects.filter(game=game_id).values_list("number", "player_ref"))
    while True:
        now = fold.at(game_id)
        turn = to_act(now.state)
        if turn is None or turn.seat is None:
            return
        view = replay(view_for(now.events, Observer.seat(turn.seat)))
        chance = hashlib.sha256(f"{game_id}:{now.head.seq}".encode()).digest()
        command = choose(view, turn.seat, chance)
        submit(game_id, command, actor=refs[turn.seat], command_id=f"demo:{now.head.seq}")


def with_revoke() -> Record:
    """The first record, seed by seed, in which a revoke of the second deal is proven by later tricks."""
    for seed in range(100):
        record = _played(Source(bytes([seed]) * 32))
        if record is not None:
            return record
    raise AssertionError("a hundred seeds hold a revoke")


def _played(source: Source) -> Record | None:
    play = PRESETS["santiago"].play
    start = {
        "cmd": "start",
        "variant": play.variant,
        "preset": play.preset,
        "seats": 4,
        "mode": "transcribed",
    }
    known = _after(State(), start)  # the table, with all hands
    written = _after(State(), start)  # the record, which knows only what was played
    commands: list[dict[str, Any]] = []
    revoke: tuple[int, int] | None = None

    def both(command: dict[str, Any]) -> None:
        nonlocal known, written
        known = _after(known, command)
        hidden = {**command, "deck": None} if command["cmd"] == "deal" else command
        written = _after(written, hidden)
        commands.append({key: value for key, value in hidden.items() if value is not None})

    for deal in range(1, DEALS_WHOLE + 2):
        dealer = {"dealer": 3} if deal == 1 else {}
        both({"cmd": "deal", "deck": deck(source, 1, deal), **dealer})
        left = 36 if deal <= DEALS_WHOLE else CARDS_OF_THIRD
        turn = to_act(known)
        while turn is not None and left and turn.seat is not None:
            if turn.phase != "trick_play":
                both(
                    {
                        "cmd": "choose",
                        "seat": turn.seat,
                        "contract": ("spades", "hearts", "obenabe")[deal - 1],
                    }
                )
            else:
                wrong = _wrong_card(known, turn.seat) if deal == DEALS_WHOLE and revoke is None else None
                if wrong is not None:
                    revoke = (turn.seat, len(known.tricks) + 1)
                legal = cards.codes(legal_cards(known, turn.seat))
                both({"cmd": "play", "seat": turn.seat, "card": wrong or legal[-1]})
                left -= 1
            turn = to_act(known)
    proven = [found for found in _infractions(written) if found[0] == DEALS_WHOLE]
    if revoke is None or proven != [(DEALS_WHOLE, *revoke)]:
        return None
    return Record(commands, seat=revoke[0], deal=DEALS_WHOLE, trick=revoke[1])


def _wrong_card(state: State, seat: int) -> str | None:
    """From the third trick on: a card that is not allowed, of a player who holds the suit led twice."""
    if not state.trick or not 2 <= len(state.tricks) <= 5:
        return None
    legal = legal_cards(state, seat)
    suit = state.trick[0] // SUIT
    led = ((1 << SUIT) - 1) << suit * SUIT
    hand = _hand(state, seat)
    if (legal & led).bit_count() < 2 or state.trick_seats[-1] != (seat - 1) % 4:
        return None
    return next(iter(cards.codes(hand & ~legal)), None)


def _hand(state: State, seat: int) -> int:
    return int(state.hands[seat] or 0)


def _after(state: State, command: dict[str, Any]) -> State:
    return replay(decide(state, decode_command(command)), state.copy())


def _infractions(state: State) -> Iterator[tuple[int, int, int]]:
    for found in snapshot(state, Observer.referee())["infractions"]:
        if found["code"] == "revoke":
            yield found["deal"], found["seat"], found["trick"]
