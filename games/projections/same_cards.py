"""Tables of a round that play the same cards: the deals of which the public may see anything.

A deal opens when the last of these tables has finished it or given up, so that nobody learns cards or points
of a deal that they have yet to play. Delayed rows (`games.projections.delayed_projection`) hold back what
belongs to later deals. A table whose next events wait for others has no deadline; the table that opens a deal
sets one for each of them.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games import store
from games.models import Deadline, Game
from games.projections import delayed_broadcast
from games.timers import deadlines

ALL_DEALS: Final = 1_000_000
"""More than the deals of a game: all of them."""
LEAST_MINUTES: Final = 1
"""Least delay of a table that plays the cards of others: only delayed rows hold anything back."""


class _Progress(NamedTuple):
    """The columns of a game, as shown and as in its log. `ahead_status` and `ahead_deal` are None if the row
    is the current state.
    """

    mode: str
    status: str
    deal: int
    ahead_status: str | None
    ahead_deal: int | None

    @property
    def finished(self) -> int:
        """Number of the last deal that nobody at this table has yet to play."""
        status = self.status if self.ahead_status is None else self.ahead_status
        deal = self.deal if self.ahead_deal is None else self.ahead_deal
        if status in (Game.Status.ENDED, Game.Status.CLOSED):
            return ALL_DEALS
        return deal if self.mode == Game.Mode.SHEET else max(deal - 1, 0)


def list_sharing(game: Game) -> QuerySet[Game]:
    """Return the tables that play the same cards, this one included."""
    return Game.objects.filter(round_stream=game.round_stream_id, number=game.number)


def find_open_deal(game: Game) -> int | None:
    """Return the number of the last deal that is open to the public; None if no other table plays it.

    One query.
    """
    rows = list_sharing(game).values_list("mode", "status", "deal", "ahead__row__status", "ahead__row__deal")
    found = [_Progress(*row) for row in rows]
    return min(one.finished for one in found) if len(found) > 1 else None


def list_open_events(events: Iterable[store.StoredEvent], deal: int) -> Iterator[store.StoredEvent]:
    """Yield the events before the first event of a deal later than `deal`."""
    for event in events:
        if (event.body.get("deal") or 0) > deal:
            return
        yield event


def wake_waiting(game: Game, deal: int) -> None:
    """Set a deadline for each table with the same cards that waits only for this deal. Two queries."""
    armed = Deadline.objects.filter(kind=delayed_broadcast.SHOW, stream=OuterRef("pk"))
    waiting = list_sharing(game).filter(~Exists(armed), ahead_seq__isnull=False, deal__lt=deal)
    for pk in waiting.exclude(pk=game.pk).order_by("pk").values_list("pk", flat=True):
        deadlines.arm(delayed_broadcast.SHOW, pk, timezone.now())
