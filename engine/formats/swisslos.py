"""Import from and export to the log format of Swisslos / jass-kit.

A line holds JSON: a game, {"game": game} or {"rounds": [game, …]}. Text before it, as in a server's log, is
ignored. Trump 0-3 is D H S C, 4 obenabe, 5 undenufe. Players are numbered clockwise while play
is anticlockwise, so player p sits at seat -p mod 4. A push is `tss: 1`, in version V0.2 `forehand: 0`. The
hands follow from the cards played. Known omission: the format has no melds and no Stöck. A game of the format
is one deal.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from engine.cards import DECK, INDEX, Card
from engine.commands import Choose, Command, Deal, Play, Push, Start
from engine.contracts import CONTRACTS
from engine.decider import advance
from engine.errors import CorruptLog, IllegalCommand
from engine.events import DealStarted, Event, Pushed
from engine.formats.logs import number_lines
from engine.ledger.evolve import replay
from engine.ledger.state import DealRecord, State, Trick
from engine.phases.dealing import deck_from_hands
from engine.taking_back import drop_taken_back
from engine.variants.schieber import SCHIEBER

VARIANT: Final = SCHIEBER.key
OPTIONS: Final[dict[str, Any]] = {
    "target": None,
    "deals": 1,
    "melds": False,
    "stoeck": False,
    "first_forehand": "drawn",
    "multipliers": dict.fromkeys(CONTRACTS[:6], 1),
}
Player = Annotated[int, Meta(ge=0, le=3)]


class SwissTrick(Struct):
    """A trick of the format: cards from player `first` on, the taker `win`, and the points including the five
    for the last trick.
    """

    cards: Annotated[list[Card], Meta(max_length=4)] = []
    points: int | None = None
    win: Player | None = None
    first: Player = 0


class SwissHand(Struct):
    """The cards of a seat that are not played yet."""

    hand: list[Card] = []


class SwissGame(Struct):
    """One deal of a Swisslos file."""

    trump: Annotated[int, Meta(ge=0, le=5)]
    dealer: Player
    tricks: Annotated[list[SwissTrick], Meta(max_length=9)]
    tss: int = 0
    forehand: int | None = None
    player: Annotated[list[SwissHand], Meta(max_length=4)] = []


class _Wrapped(Struct):
    game: SwissGame


class _Rounds(Struct):
    rounds: list[SwissGame]


def convert_seat(player: int) -> int:
    """Convert a player number of the format to a seat, or back."""
    return -player % 4


def import_games(data: bytes) -> Iterator[list[Event]]:
    """Yield the event log of every game in a file. Raises CorruptLog for a file without games, and with the
    line of a game that is unreadable or impossible.
    """
    found = False
    for number, line in number_lines(data):
        for game in _games_in(number, line):
            found = True
            try:
                yield _import(game)
            except IllegalCommand as error:
                raise CorruptLog("swisslos/impossible", f"line {number}: {error}", line=number) from None
    if not found:
        raise CorruptLog("log/empty", "there is no game in this file")


def _games_in(number: int, line: bytes) -> list[SwissGame]:
    begin = line.find(b"{")
    try:
        text = line[max(begin, 0) :]
        keys = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        if "rounds" in keys:
            return msgspec.json.decode(text, type=_Rounds).rounds
        if "game" in keys:
            return [msgspec.json.decode(text, type=_Wrapped).game]
        return [msgspec.json.decode(text, type=SwissGame)]
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise CorruptLog("swisslos/malformed", f"line {number}: {reason}", line=number) from None


def _import(game: SwissGame) -> list[Event]:
    state = State()
    log: list[Event] = []
    for command in _commands(game):
        log += advance(state, command)
    for trick, ours in zip(
        game.tricks, state.records[0].tricks if state.records else state.tricks, strict=False
    ):
        taker = None if trick.win is None else convert_seat(trick.win)
        if (taker, trick.points) != (ours.taker, ours.points):
            raise IllegalCommand(
                "swisslos/wrong_result",
                f"{' '.join(trick.cards)} is recorded for player {trick.win} with {trick.points} points",
            )
    return log


def _commands(game: SwissGame) -> Iterator[Command]:
    yield Start(variant=VARIANT, seats=4, options=OPTIONS, mode="transcribed")
    dealer = convert_seat(game.dealer)
    forehand = (dealer + 1) % 4
    yield Deal(deck=deck_from_hands(_hands(game), forehand), dealer=dealer)
    chooser = forehand
    if game.tss == 1 or game.forehand == 0:
        yield Push(seat=forehand)
        chooser = (forehand + 2) % 4
    yield Choose(seat=chooser, contract=CONTRACTS[game.trump])
    for trick in game.tricks:
        for at, card in enumerate(trick.cards):
            yield Play(seat=(convert_seat(trick.first) + at) % 4, card=card)


def _hands(game: SwissGame) -> list[list[Card | None]]:
    hands: list[list[Card | None]] = [[] for _ in range(4)]
    for trick in game.tricks:
        for at, card in enumerate(trick.cards):
            hands[(convert_seat(trick.first) + at) % 4].append(card)
    for player, held in enumerate(game.player):
        hands[convert_seat(player)].extend(held.hand)
    if any(len(hand) > 9 for hand in hands):
        raise IllegalCommand("swisslos/too_many_cards", "a player has more than nine cards")
    for hand in hands:
        hand.sort(key=INDEX.__getitem__)
        hand.extend([None] * (9 - len(hand)))
    return hands


def export_games(games: Sequence[Sequence[Event]]) -> Iterator[bytes]:
    """Yield one line for each complete deal. Raises CorruptLog for a game that the format cannot hold."""
    for number, log in enumerate(games, 1):
        state = replay(log)
        if state.variant != VARIANT:
            raise CorruptLog(
                "swisslos/not_exportable", f"game {number}: the format holds {VARIANT} only", game=number
            )
        pushed = _find_pushed_deals(log)
        for record in state.records:
            if len(record.tricks) == record.size:
                yield msgspec.json.encode(_export(number, record, record.deal in pushed))


def _find_pushed_deals(log: Sequence[Event]) -> set[int]:
    found, deal = set(), 0
    for event in drop_taken_back(log):
        if isinstance(event, DealStarted):
            deal = event.deal
        elif isinstance(event, Pushed):
            found.add(deal)
    return found


def _export(number: int, record: DealRecord, pushed: bool) -> dict[str, Any]:
    if record.contract not in CONTRACTS[:6]:
        raise CorruptLog(
            "swisslos/not_exportable", f"game {number}: the format has no {record.contract}", game=number
        )
    return {
        "trump": CONTRACTS.index(record.contract),
        "dealer": convert_seat(record.dealer or 0),
        "tss": int(pushed),
        "tricks": [_export_trick(number, trick) for trick in record.tricks],
        "player": [{"hand": []}] * 4,
        "jassTyp": "SCHIEBER_2500",
    }


def _export_trick(number: int, trick: Trick) -> dict[str, Any]:
    if trick.taker is None or -1 in trick.cards:
        raise CorruptLog("swisslos/not_exportable", f"game {number}: a card is not known", game=number)
    return {
        "cards": [DECK[card] for card in trick.cards],
        "points": trick.points,
        "win": convert_seat(trick.taker),
        "first": convert_seat(trick.seats[0]),
    }
