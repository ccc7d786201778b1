"""Builders for the engine's tests: a table that plays commands, and hands that make a deck.

The cast sits Anna 0, Beat 1, Chiara 2, Dario 3; Eva is a spectator, Fredi the director, Gabi the referee.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import IllegalCommand, Observer, State, cards, decide, evolve, legal_cards, to_act
from engine.cards import Card
from engine.commands import Choose, Command, Deal, Play, Rule, RulingKind, Start
from engine.contracts import Contract
from engine.events import Event
from engine.phases.dealing import deck_from_hands

ANNA, BEAT, CHIARA, DARIO = range(4)
EVA = Observer.spectator()
GABI = Observer.referee()
SUIT_EACH = ["S6 S7 S8 S9 S10 SJ SQ SK SA", "H6 H7 H8 H9 H10 HJ HQ HK HA", "D6 D7 D8 D9 D10 DJ DQ DK DA",
             "C6 C7 C8 C9 C10 CJ CQ CK CA"]  # fmt: skip
CARD: dict[str, Card] = {code: code for code in cards.DECK}
SIMPLE = dict.fromkeys(("diamonds", "hearts", "spades", "clubs", "obenabe", "undenufe"), 1)


def cards_of(codes: str) -> list[Card]:
    """By their codes, blank-separated."""
    return [CARD[code] for code in codes.split()]


class Table:
    """One game being played: `do` a command, and what came of it is in `log`."""

    def __init__(self, variant: str = "schieber", seats: int = 4, **start: Any) -> None:
        self.state = State()
        self.log: list[Event] = []
        self.commands: list[Command] = []
        self.do(Start(variant=variant, seats=seats, **start))

    def do(self, command: Command) -> list[Event]:
        """Decide and write down; the events of this command, which are numbered on."""
        events = decide(self.state, command)
        assert [event.seq for event in events] == list(range(self.state.seq, self.state.seq + len(events)))
        for event in events:
            evolve(self.state, event)
        self.log += events
        self.commands.append(command)
        return events

    def refused(self, command: Command) -> str:
        """The code of a refusal, which must leave everything as it was."""
        code, _said, _params = self.refusal(command)
        return code

    def refusal(self, command: Command) -> tuple[str, str, dict[str, Any]]:
        """All of it: code, sentence and parameters."""
        before = self.state.copy()
        with pytest.raises(IllegalCommand) as refusal:
            decide(self.state, command)
        assert self.state == before
        return refusal.value.code, refusal.value.detail, refusal.value.params

    def deal(self, hands: Sequence[str], dealer: int | None = None) -> list[Event]:
        """Deal these hands (codes by seat, blank-separated)."""
        first = 0 if dealer is None else (dealer + 1) % len(hands)
        if self.state.dealer is not None:
            first = ((self.state.dealer if self.state.annulled else self.state.dealer + 1) + 1) % len(hands)
        deck = deck_from_hands([cards_of(hand) for hand in hands], first)
        return self.do(Deal(deck=deck, dealer=dealer))

    def choose(self, contract: Contract) -> list[Event]:
        """Whose turn it is names a contract."""
        return self.do(Choose(seat=self.turn, contract=contract))

    def play(self, codes: str, **said: Any) -> list[Event]:
        """Play these cards in turn; what is `said` goes with the last one."""
        events: list[Event] = []
        played = cards_of(codes)
        for code in played[:-1]:
            events += self.do(Play(seat=self.turn, card=code))
        return events + self.do(Play(seat=self.turn, card=played[-1], **said))

    def put(self, *plays: tuple[int, Card | None]) -> list[Event]:
        """Cards by the seats they are of, in a transcript; None: one that nobody remembers."""
        return [event for seat, card in plays for event in self.do(Play(seat=seat, card=card))]

    def rule(self, kind: RulingKind, **details: Any) -> list[Event]:
        """Gabi rules."""
        return self.do(Rule(kind=kind, reason="seen", **details))

    def play_out(self) -> list[Event]:
        """Play the lowest legal card until the deal is over."""
        events: list[Event] = []
        while self.state.dealing:
            events += self.play(cards.codes(legal_cards(self.state))[0])
        return events

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        turn = to_act(self.state)
        assert turn is not None
        assert turn.seat is not None
        return turn.seat

    @property
    def legal(self) -> str:
        """The cards that may be played now, as codes."""
        return " ".join(cards.codes(legal_cards(self.state)))


def types(events: Sequence[Event]) -> list[str]:
    """The names of events."""
    return [str(event.__struct_config__.tag) for event in events]


def only(events: Sequence[Event], kind: type[Any]) -> Any:
    """The one event of a type."""
    (found,) = [event for event in events if type(event) is kind]
    return found


def club_table(contract: Contract = "spades", hands: Sequence[str] = SUIT_EACH, **options: Any) -> Table:
    """A club game at its first trick, Anna to lead; dealt by Dario."""
    table = Table(options={"first_forehand": "drawn", **options})
    table.deal(hands, dealer=DARIO)
    table.choose(contract)
    return table
