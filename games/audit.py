"""Auditing a stored game: the chain, the rules, and the cards that were dealt."""

from collections.abc import Iterator, Sequence

import msgspec

from engine import Event
from engine.audit import audit_all, other_rules
from engine.events import DealStarted, HandDealt
from games import dealing, fold, rounds, store
from games.dealing import Source
from games.models import Game

PACKET = 3


class Report(msgspec.Struct, frozen=True):
    """What an audit found. `differences`: where the log departs from the rules; `wrong_deals`: numbers of
    deals whose hands are not those of the round's seed; `other_rules`: played under another version of the
    rules.
    """

    events: int
    differences: tuple[str, ...]
    wrong_deals: tuple[int, ...]
    other_rules: bool

    @property
    def clean(self) -> bool:
        """Whether everything is as it should be."""
        return not self.differences and not self.wrong_deals


def audit(game: Game) -> Report:
    """Check everything that is stored of a game. Raises CorruptLog where the chain itself is broken."""
    store.verify(game.id)
    store.verify(game.round_stream_id)
    log = fold.restored(store.read(game.id))
    return Report(
        events=len(log),
        differences=tuple(map(str, audit_all(log))),
        wrong_deals=tuple(wrong_deals(game, log)) if game.mode == Game.Mode.DEALT else (),
        other_rules=other_rules(log),
    )


def wrong_deals(game: Game, log: Sequence[Event]) -> Iterator[int]:
    """The deals of a dealt game whose hands do not follow from seed, entropy, table and deal."""
    source = rounds.source_of(game.round_stream_id)
    for deal, dealer, hands in _dealt(log):
        if not _follows(source, game, deal, dealer, hands):
            yield deal


def _dealt(log: Sequence[Event]) -> Iterator[tuple[int, int, list[HandDealt]]]:
    starts = [place for place, event in enumerate(log) if isinstance(event, DealStarted)]
    for place, end in zip(starts, [*starts[1:], len(log)], strict=True):
        start = log[place]
        if isinstance(start, DealStarted):
            yield start.deal, start.dealer, [e for e in log[place:end] if isinstance(e, HandDealt)]


def _follows(source: Source, game: Game, deal: int, dealer: int, hands: list[HandDealt]) -> bool:
    """Whether the deck, dealt in packets from whoever was forehand, or from seat 0 in a first deal where a
    marked card decides who that is, gives these hands.
    """
    deck = dealing.deck(source, game.number, deal)
    recorded = {hand.seat: set(hand.cards or ()) for hand in hands}
    sizes = {hand.seat: hand.size for hand in hands}
    firsts = {(dealer + 1) % game.seat_count} | ({0} if deal == 1 else set())
    return any(_deal(deck, sizes, game.seat_count, first) == recorded for first in firsts)


def _deal(deck: list[str], sizes: dict[int, int], seats: int, first: int) -> dict[int, set[str]]:
    hands: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    rest = iter(deck)
    while any(len(hands[seat]) < sizes[seat] for seat in hands):
        for turn in range(seats):
            seat = (first + turn) % seats
            packet = min(PACKET, sizes[seat] - len(hands[seat]))
            hands[seat].update(next(rest) for _ in range(packet))
    return hands
