"""The course of a game, deal by deal and trick by trick, as a page shows it: the events put where a reader
looks for them.

Works on the events as an observer may see them: what he does not know is None here too.
"""

from msgspec import Struct, field

from engine import events as ev
from engine.cards import INDEX
from engine.ledger.state import SheetResult

Codes = list[str | None]


class Played(Struct):
    """A card in a trick, with what was declared as it was played and what was found against it."""

    seat: int
    card: str | None
    seq: int
    said: list[ev.Event] = field(default_factory=list)
    infractions: list[ev.InfractionFound] = field(default_factory=list)


class TrickRow(Struct):
    """A trick. `so_far` are the points in tricks of each side after it, empty where they are not known;
    `notes` what fell with it."""

    number: int
    plays: list[Played] = field(default_factory=list)
    complete: bool = False
    taker: int | None = None
    points: int | None = None
    so_far: list[int] = field(default_factory=list)
    notes: list[ev.Event] = field(default_factory=list)

    def card_of(self, seat: int) -> Played | None:
        """What a seat played to it."""
        return next((play for play in self.plays if play.seat == seat), None)


class Share(Struct):
    """What a seat was dealt: cards known, first the hand, then what lies open and closed on the table, then
    what lies beside. None is a card that is not known."""

    seat: int
    hand: Codes
    open: Codes = []
    closed: Codes = []
    extra: Codes = []
    face_down: bool = False


class DealCourse(Struct):
    """One deal, begun at event `seq`. `before` is what happened up to the first card, `after` what followed
    the last one, `rulings` what was said of it later."""

    number: int
    dealer: int
    sides: list[int]
    seq: int
    shares: list[Share] = field(default_factory=list)
    before: list[ev.Event] = field(default_factory=list)
    tricks: list[TrickRow] = field(default_factory=list)
    after: list[ev.Event] = field(default_factory=list)
    rulings: list[ev.Event] = field(default_factory=list)
    contract: str | None = None
    chooser: int | None = None
    slot: str | None = None
    pushed: bool = False
    result: ev.DealScored | None = None
    counts: list[int | None] | None = None
    """What the deal counts after the rulings on it."""
    annulled: bool = False


class Course(Struct):
    """One game. `entries` are how a sheet was written, `results` what stands on it and counts, `after` what
    belongs to no deal."""

    start: ev.GameStarted
    deals: list[DealCourse] = field(default_factory=list)
    entries: list[ev.Event] = field(default_factory=list)
    results: list[SheetResult] = field(default_factory=list)
    after: list[ev.Event] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    sides: list[int] = field(default_factory=list)
    """The side of each seat at the end."""
    end: ev.GameEnded | None = None


def held(deal: DealCourse, seat: int) -> Codes:
    """The hand of a seat as far as it is known: as it was dealt, and by what was played from it later where
    no card was exchanged, taken or put away in between."""
    share = next((one for one in deal.shares if one.seat == seat), None)
    if share is None:
        return []
    known = [card for card in share.hand if card is not None]
    changed = (ev.TalonTaken, ev.ExtraExchanged, ev.TurnedTaken, ev.CardsDiscarded)
    if share.open or any(isinstance(e, changed) and e.seat == seat for e in deal.before):
        return share.hand
    played = [play.card for row in deal.tricks for play in row.plays if play.seat == seat]
    known += [card for card in played if card is not None and card not in known]
    if len(known) > len(share.hand) - share.hand.count(None):
        known.sort(key=INDEX.__getitem__)
    return [*known, *(None for _ in range(len(share.hand) - len(known)))]
