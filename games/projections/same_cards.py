"""Tables of a round that play the same cards, and the deals of which the public may see anything.

A deal opens when the last of these tables has finished it or given up, so that nobody learns cards or points
of a deal that they have yet to play. Delayed rows (`games.projections.delayed_projection`) hold back the
events of later deals. A table whose next events wait for other tables has no deadline; the table that opens a
deal sets a deadline for each of them.
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
"""A number above the number of any deal. It means that all deals are open."""
LEAST_MINUTES: Final = 1
"""Least delay, in minutes, of a table that plays the same cards as others. Without a delay nothing is held
back.
"""


class _Progress(NamedTuple):
    """Columns of a game. `status`, `deal`: as the row shows them. `ahead_status`, `ahead_deal`: as the log
    has them; None if the row is current.
    """

    mode: str
    status: str
    deal: int
    ahead_status: str | None
    ahead_deal: int | None

    @property
    def finished(self) -> int:
        """Number of the last deal that no player of this table has yet to play."""
        status = self.status if self.ahead_status is None else self.ahead_status
        deal = self.deal if self.ahead_deal is None else self.ahead_deal
        if status in Game.OVER:
            return ALL_DEALS
        return deal if self.mode == Game.Mode.SHEET else max(deal - 1, 0)


def list_sharing(game: Game) -> QuerySet[Game]:
    """Return the tables that play the same cards as this game, with this game itself."""
    return Game.objects.filter(round_stream=game.round_stream_id, number=game.number)


def find_open_deal(game: Game) -> int | None:
    """Return the number of the last deal that is open to the public; None if no other table plays the same
    cards. One query.
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
    """Set a deadline, due now, for each other table with the same cards that has waited until this deal
    opened. One query, and one for each of these tables.
    """
    armed = Deadline.objects.filter(kind=delayed_broadcast.SHOW, stream=OuterRef("pk"))
    waiting = list_sharing(game).filter(~Exists(armed), ahead_seq__isnull=False, deal__lt=deal)
    for pk in waiting.exclude(pk=game.pk).order_by("pk").values_list("pk", flat=True):
        deadlines.arm(delayed_broadcast.SHOW, pk, timezone.now())
