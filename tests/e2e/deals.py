"""A deal of every game from a physical table, for a transcript."""

import random
from typing import Any, Final

from engine import State, advance, cards, legal_cards, to_act
from engine.commands import Bid, Choose, Command, Deal, Discard, Keep, Pass, Play, Predict, Start
from engine.events import DealScored, Event, TableDealt, TalonDealt, TrumpTurned
from engine.registry import get_rules

TABLES: Final[dict[str, tuple[str, int, dict[str, Any]]]] = {
    "schieber": ("schieber", 4, {"first_forehand": "drawn"}),
    "melds": ("schieber", 4, {"first_forehand": "drawn"}),
    "forgotten": ("schieber", 4, {"first_forehand": "drawn"}),
    "told at the end": ("schieber", 4, {"first_forehand": "drawn"}),
    "auction forgotten": ("lake-constance", 2, {}),
    "turned unseen": ("differenzler", 4, {}),
    "bieter": ("bieter", 3, {}),
    "differenzler": ("differenzler", 4, {"sealed_predictions": True}),
    "coiffeur": ("coiffeur", 4, {}),
    "coiffeur of three": ("coiffeur", 3, {}),
    "la-pomme": ("la-pomme", 2, {}),
    "plus-minus of three": ("plus-minus", 3, {}),
    "plus-minus": ("plus-minus", 4, {}),
    "lake-constance": ("lake-constance", 2, {}),
}
"""Variant, seats and options by name."""


class PlayedDeal:
    """The first deal of a game; seat 0 is forehand, and wins every auction."""

    def __init__(self, name: str, seed: int = 7) -> None:
        variant, seats, options = TABLES[name]
        self.state = State()
        self.log: list[Event] = []
        self.commands: list[Command] = []
        rng = random.Random(seed)
        self._do(Start(variant=variant, seats=seats, options=options))
        deck: list[Any] = [*cards.DECK]
        rng.shuffle(deck)
        self._do(Deal(deck=deck, dealer=seats - 1, cut=None))
        while not any(isinstance(event, DealScored) for event in self.log):
            self._do(self._next(rng))

    def _do(self, command: Command) -> None:
        self.log += advance(self.state, command)
        self.commands.append(command)

    def _next(self, rng: random.Random) -> Command:
        turn = to_act(self.state)
        assert turn is not None
        seat = turn.seat or 0
        if turn.phase == "auction":
            return Pass(seat=seat) if seat else Bid(seat=seat, points=60 if self.state.seats == 2 else 500)
        if turn.phase == "discards":
            return Discard(seat=seat, cards=[*cards.codes(self.state.hands[seat])[:6]])
        if turn.phase == "contract_choice":
            return Choose(
                seat=seat, contract="hearts", slot="joker7" if get_rules(self.state).play.slots else None
            )
        if turn.phase == "predictions":
            return Predict(seat=seat, points=40)
        if turn.phase == "exchange":
            return Keep(seat=seat)
        return Play(seat=seat, card=rng.choice(cards.codes(legal_cards(self.state))))

    @property
    def laid_open(self) -> list[str]:
        """The open cards at the beginning of the deal, in the order of the page's questions."""
        found: list[str] = [event.card for event in self.log if isinstance(event, TrumpTurned)]
        for event in self.log:
            if isinstance(event, TalonDealt | TableDealt):
                found += [card for card in event.open if card is not None]
        return found

    @property
    def played(self) -> list[str]:
        """Return the cards in the order of play."""
        return [str(command.card) for command in self.commands if isinstance(command, Play)]

    @property
    def scored(self) -> DealScored:
        """Return its score."""
        (found,) = [event for event in self.log if isinstance(event, DealScored)]
        return found
