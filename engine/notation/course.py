"""Course of a game by deal and trick, as a page shows it.

It is built from redacted events, in which hidden values are None.
"""

from msgspec import Struct, field

from engine import events as ev
from engine.cards import INDEX
from engine.ledger.state import SheetResult

Codes = list[str | None]


class Played(Struct):
    """A card in a trick. `said`: the declarations made with it, and their infractions. `infractions`: the
    infractions proven against the card.
    """

    seat: int
    card: str | None
    seq: int
    said: list[ev.Event] = field(default_factory=list)
    infractions: list[ev.InfractionFound] = field(default_factory=list)


class TrickRow(Struct):
    """A trick. `so_far`: the points of each side up to and including it, empty if not known. `notes`: its
    other events.
    """

    number: int
    plays: list[Played] = field(default_factory=list)
    complete: bool = False
    taker: int | None = None
    points: int | None = None
    so_far: list[int] = field(default_factory=list)
    notes: list[ev.Event] = field(default_factory=list)

    def find_play(self, seat: int) -> Played | None:
        """Return the card that a seat played to the trick; None if it has not played."""
        return next((play for play in self.plays if play.seat == seat), None)


class Share(Struct):
    """The cards dealt to a seat: hand, open and closed cards on the table, extra cards. None is an unknown
    card.
    """

    seat: int
    hand: Codes
    open: Codes = []
    closed: Codes = []
    extra: Codes = []
    face_down: bool = False


class DealCourse(Struct):
    """One deal, which event `seq` started. `shares`: the dealt cards of each seat. `before`: events before
    the first card. `after`: events after the last card. `rulings`: later rulings on the deal.
    """

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
    """The deal's score by side, after rulings."""
    annulled: bool = False


class Course(Struct):
    """One game. `entries`: events of the sheet. `results`: the sheet's entries with their current scores.
    `after`: events that belong to no deal.
    """

    start: ev.GameStarted
    deals: list[DealCourse] = field(default_factory=list)
    entries: list[ev.Event] = field(default_factory=list)
    results: list[SheetResult] = field(default_factory=list)
    after: list[ev.Event] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    sides: list[int] = field(default_factory=list)
    """The side of each seat at the end."""
    end: ev.GameEnded | None = None


def reconstruct_hand(deal: DealCourse, seat: int) -> Codes:
    """Return the hand dealt to a seat, None for each unknown card; empty without one. It follows from the
    dealt cards and, if the seat plays only these, its played cards.
    """
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
