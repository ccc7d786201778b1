"""Estimate, for each card of a finished deal, what the best card would have gained, by rollouts of our bots.

The result is an estimate, since other players would continue differently. A background job computes it once
from the whole record. Only observers who may see every hand of the deal receive the estimate: it tells them
nothing that they could not find out themselves (`games.analysis.what_if`).
"""

from collections.abc import Sequence
from time import monotonic
from typing import Any, ClassVar, Final, Literal, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from engine import Event, Refused
from engine.events import CardPlayed, DealScored, DealStarted
from engine.registry import get_rules
from engine.taking_back import drop_taken_back
from games import game_state
from games.analysis import what_if
from games.analysis.what_if import NotOpen
from games.models import DealEstimate, Game
from games.projections import delayed_broadcast
from games.timers.leases import LEASE_TIMEOUT, Lease, Work

MAX_TURN_SECONDS: Final = 0.4
"""Seconds after which a job, with at least one card done, frees its worker: moves of bots take precedence."""
MAX_WAITING: Final = 500
"""Largest number of deals that wait for an estimate; further deals are not accepted."""


class CardGain(NamedTuple):
    """A card that was played, and the better card `best`. `seq`: the event that played `card`. `gain`: points
    by which `best` would have improved the score of the seat's side, compared with the other sides' average.
    """

    seq: int
    seat: int
    card: str
    best: str
    gain: int


class Worth(NamedTuple):
    """The estimate of a deal. `state`: `ready`, `working` (not finished yet) or `full` (the queue accepts no
    more deals at the moment). `gains`: the cards to which there was a better card; empty until `ready`.
    """

    state: Literal["ready", "working", "full"]
    gains: tuple[CardGain, ...] = ()


class PlayedCard(NamedTuple):
    seq: int
    seat: int
    card: str


def collect_played_cards(events: Sequence[Event], deal: int) -> tuple[list[PlayedCard], int]:
    """Return the cards of a deal that was played to its end, and the seq of the event that ended it. Raises
    NotOpen if the deal is not scored, no card of it was played, or a card is hidden.
    """
    cards: list[PlayedCard] = []
    current_deal = 0
    for event in drop_taken_back(events):
        if isinstance(event, DealStarted):
            current_deal = event.deal
        elif current_deal == deal and isinstance(event, CardPlayed):
            if event.card is None:
                raise NotOpen("not every card of this deal is known", code="what_if/hands_unknown")
            cards.append(PlayedCard(event.seq, event.seat, event.card))
        elif current_deal == deal and isinstance(event, DealScored) and event.deal == deal and cards:
            return cards, event.seq
    raise NotOpen("that deal is not over", code="what_if/no_card")


def compute_gain(events: Sequence[Event], played: PlayedCard) -> CardGain | None:
    """Return what the best card would have gained over the card played; None if no other card was legal or
    better.
    """
    start = what_if.start_line(events, played.seq - 1)
    if len(what_if.play_line(start, []).legal) < 2:
        return None
    leads = what_if.estimate_scores(start, [])
    if played.card not in leads:
        return None
    rules = get_rules(start.state)
    own = rules.sides_of(start.state)[played.seat]

    def worth(scores: Sequence[int | None]) -> float:
        ours = scores[own] or 0
        theirs = sum(points or 0 for points in scores) - ours
        return rules.variant.score_direction * (ours - theirs / (len(scores) - 1))

    best = max(leads, key=lambda card: (worth(leads[card]), card == played.card))
    gain = round(worth(leads[best]) - worth(leads[played.card]))
    return CardGain(played.seq, played.seat, played.card, best, gain) if gain > 0 else None


def load_worth(game: Game, events: list[Event], deal: int) -> Worth:
    """Return the current estimate of a deal, and enqueue the deal if it has no estimate. `events`: the log as
    the requesting observer may see it. Raises NotOpen if the observer does not see the whole deal as it is
    recorded.
    """
    cards, end = collect_played_cards(events, deal)
    begun = max(at for at in range(cards[0].seq) if isinstance(events[at], DealStarted))
    # The cards played reveal the hands in the end, but neither the discards nor when regulations open them.
    if events[begun : end + 1] != list(delayed_broadcast.load_visible_snapshot(game).events[begun : end + 1]):
        raise NotOpen("not every hand of this deal is to be seen", code="what_if/hands_unknown")
    what_if.start_line(events, cards[0].seq - 1)
    row = DealEstimate.objects.filter(game=game, deal=deal, seq=end).first()
    if row is None:
        if DealEstimate.objects.filter(ended_at=None).count() >= MAX_WAITING:
            return Worth("full")
        row, _new = DealEstimate.objects.get_or_create(game=game, deal=deal, seq=end)
        send([row.pk])
    if row.ended_at is None:
        return Worth("working")
    return Worth("ready", tuple(CardGain(*gain) for gain in row.gains))


class _Estimating(Work[DealEstimate]):
    task = "games.estimate"
    begun: ClassVar[dict[str, Any]] = {}
    left: ClassVar[dict[str, Any]] = {}

    def rows(self) -> QuerySet[DealEstimate]:
        return DealEstimate.objects.all()

    def may_begin(self, rows: QuerySet[DealEstimate]) -> QuerySet[DealEstimate]:
        """Allow one estimate at a time, on any free worker, so that estimates take little capacity from
        running games.
        """
        busy = DealEstimate.objects.filter(ended_at=None, beat_at__gte=timezone.now() - LEASE_TIMEOUT)
        return rows.none() if busy.exists() else rows

    def do(self, lease: Lease[DealEstimate]) -> None:
        row, begun = lease.row, monotonic()
        events = game_state.load_snapshot(row.game_id).events
        cards, _end = collect_played_cards(events, row.deal)
        gains, seen = list(row.gains), row.seen
        for card in cards[seen:]:  # at least one a turn, so that the job ends on a slow database
            gain = compute_gain(events, card)
            gains += [] if gain is None else [list(gain)]
            seen += 1
            if monotonic() - begun >= MAX_TURN_SECONDS:
                break
        if seen < len(cards):
            lease.give_back(gains=gains, seen=seen, tries=0)
        else:
            lease.end(gains=gains, seen=seen)
        send(self.free().order_by("pk").values_list("pk", flat=True)[:1])

    def refused(self, lease: Lease[DealEstimate], refusal: Refused) -> None:
        """End the estimate without gains: not every card of the deal is known."""
        lease.end(gains=[])

    def given_up(self, lease: Lease[DealEstimate]) -> None:
        lease.end(gains=[])


_work: Final = _Estimating()
send, run = _work.send, _work.run


def unsent_rows() -> list[int]:
    """Return the id, in a list, of one row whose message to a worker is missing or seems lost. The list is
    empty if there is no such row, or a worker computes an estimate now.
    """
    fresh = Q(ended_at=None, beat_at__gte=timezone.now() - LEASE_TIMEOUT)
    return [] if DealEstimate.objects.filter(fresh).exists() else _work.due(1)
