"""The stream of a series. Changes of its rules, events and tickets are recorded in it and sealed, in the same
transaction, without names, places and times.

    with changing(series, actor=actor, reason=reason) as held:
        held.…save()

The rows are changed inside this block. At its end, what differs from the stream is recorded. A series without
a stream first gets a stream of its present state.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from games import sealing, store
from games.appending import SERVER, record
from games.sealing import Checkpoint, SealKeyError
from tournaments.errors import TournamentError
from tournaments.events import TournamentEvent
from tournaments.models import (
    Championship,
    ClubEvent,
    ClubSeries,
    OutsideEvent,
    SeriesTicket,
    StandingsSnapshot,
)
from tournaments.names import clean
from tournaments.permissions import Actor
from tournaments.series.events import SeriesStarted
from tournaments.series.log import (
    EventState,
    SeriesState,
    find_code_of_change,
    fold_series,
    list_changes,
    write_decimal,
)
from tournaments.services.championship_seals import list_unsealed_series

log = logging.getLogger(__name__)
MAX_REASON: Final = 200
_WITHOUT_REASON: Final = {
    error.code: error.sentence
    for error in (
        TournamentError(
            "series/rules_after_seal",
            _("Give a reason to change the rules of a table that already counts."),
        ),
        TournamentError(
            "series/weight_after_seal",
            _("Give a reason to change a weight in a table that already counts."),
        ),
        TournamentError(
            "series/withdrawn_after_counting",
            _("This evening already counts: give the reason for removing it."),
        ),
        TournamentError(
            "series/event_after_seal",
            _("This evening changes a published table: give the reason for adding it."),
        ),
        TournamentError(
            "series/persons_after_seal",
            _("Results of a published table would belong to other people: give the reason."),
        ),
        TournamentError(
            "series/teams_after_seal",
            _("A person in a published table would belong to another team: give the reason."),
        ),
        TournamentError(
            "series/categories_after_seal",
            _("A person in a published table would have another category: give the reason."),
        ),
    )
}
"""Code → sentence of the error for a change that needs a reason and has none."""
REASONS_NEEDED: Final = frozenset(_WITHOUT_REASON)
"""The codes of the errors for a change that needs a reason and has none."""


@contextmanager
def changing(series: ClubSeries, *, actor: Actor, reason: str = "") -> Iterator[ClubSeries]:
    """Lock a series, yield it for changes of its rows, and record them. Nothing is changed on an error.

    Raises TournamentError with a code of `REASONS_NEEDED` if the change needs a reason and has none.
    """
    with transaction.atomic():
        locked_series = (
            ClubSeries.objects.select_for_update(of=("self",)).select_related("club").get(pk=series.pk)
        )
        reason = clean(reason, longest=MAX_REASON, field="reason")
        before = _record_drift(locked_series)
        counted = list_counted(locked_series)
        yield locked_series
        after = _load_state_beside(locked_series, before)
        changes = list_changes(before, after, reason)
        code = find_code_of_change(before, changes, counted)
        if before.published and not set(list_counted(locked_series)) <= set(counted):
            code = code or "series/event_after_seal"
        require_reason(code, reason)
        record_events(locked_series, changes, actor=actor)
    series.stream_id = locked_series.stream_id


def require_reason(code: str | None, reason: str) -> None:
    """Raise TournamentError with the code `code` if `reason` is empty. Code None: the
    change needs no reason.
    """
    if code is not None and not reason:
        raise TournamentError(code, _WITHOUT_REASON[code], field="reason")


def begin_stream(series: ClubSeries, *, actor: Actor) -> ClubSeries:
    """Record the present state of a series, and return the series, locked in the caller's transaction."""
    with changing(series, actor=actor) as locked_series:
        pass
    return locked_series


def _record_drift(locked_series: ClubSeries) -> SeriesState:
    """Begin the stream if there is none. Record changes made outside `changing`, such as a deleted
    championship.

    Return the state after these events.
    """
    if locked_series.stream_id is None:
        locked_series.stream = stream = store.create_stream("series")
        locked_series.save(update_fields=["stream"])
        record(stream.pk, SeriesStarted(seed=locked_series.seed))
    before = read_state(locked_series)
    present = _load_state_beside(locked_series, before)
    drifted = list_changes(before, present)
    if drifted:
        record_events(locked_series, drifted, actor=None, seal=False)
        before = read_state(locked_series)
    return before


def read_state(series: ClubSeries) -> SeriesState:
    """Return the state after the events of the stream; an empty state if the series has no stream."""
    if series.stream_id is None:
        return SeriesState()
    return fold_series((event.type, event.body) for event in store.read(series.stream_id))


def load_state(series: ClubSeries) -> SeriesState:
    """Return the state of the series according to its rows.

    In contrast, `read_state` returns the state according to its stream.
    """
    events = series.events.select_related("championship").order_by("position", "pk")
    elsewhere = dict(series.outside.filter(counts=True, event__isnull=False).values_list("event", "stream"))
    tickets = list(series.tickets.order_by("pk"))
    return SeriesState(
        rules=msgspec.json.decode(msgspec.json.encode(series.rules)),
        events={
            event.key: EventState(
                elsewhere.get(event.pk) if event.championship is None else event.championship.stream_id,
                write_decimal(event.weight),
                str(event.state),
            )
            for event in events
        },
        holders=refs_of(tickets, SeriesTicket.Kind.HOLDER),
        wild_cards={t.ref: t.reason for t in tickets if t.kind == SeriesTicket.Kind.WILD_CARD},
        declined=refs_of(tickets, SeriesTicket.Kind.DECLINED),
        accepted=refs_of(tickets, SeriesTicket.Kind.ACCEPTED),
    )


def refs_of(tickets: Iterable[SeriesTicket], kind: str) -> tuple[str, ...]:
    """Return the references of the persons with tickets of this kind, in order."""
    return tuple(ticket.ref for ticket in tickets if ticket.kind == kind)


def _load_state_beside(series: ClubSeries, before: SeriesState) -> SeriesState:
    """Return the state according to the rows. Persons, teams and categories, which only published tables
    have, are those of `before`.
    """
    return replace(
        load_state(series), persons=before.persons, teams=before.teams, categories=before.categories
    )


def list_counted(series: ClubSeries) -> list[str]:
    """Return the keys of the events that count now, in order."""
    ranked = StandingsSnapshot.objects.filter(championship=OuterRef("championship"))
    from_file = OutsideEvent.objects.filter(event=OuterRef("pk"), counts=True)
    found = series.events.annotate(elsewhere=Exists(from_file)).filter(Exists(ranked) | Q(elsewhere=True))
    found = found.exclude(state__in=ClubEvent.WITHDRAWN)
    rows = found.order_by("position", "pk").values_list("key", "state", "championship__status", "elsewhere")
    return [
        key
        for key, state, status, elsewhere in rows
        if elsewhere or state == ClubEvent.State.HELD or status == Championship.Status.FINISHED
    ]


def record_events(
    locked_series: ClubSeries, events: list[TournamentEvent], *, actor: Actor, seal: bool = True
) -> None:
    """Append events to the stream of a locked series. `seal`: seal the stream afterwards."""
    if not events or locked_series.stream_id is None:
        return
    record(locked_series.stream_id, *events, actor=_refer_to_actor(locked_series, actor))
    if seal:
        seal_series(locked_series)


def _refer_to_actor(locked_series: ClubSeries, actor: Actor) -> str:
    keeper = None if actor is None else locked_series.club.keepers.filter(user_id=actor.pk).first()
    return SERVER if keeper is None else f"k{keeper.pk}"


def seal_series(locked_series: ClubSeries) -> Checkpoint | None:
    """Seal the stream of a locked series, and return the checkpoint. Return None if nothing has changed, or
    without a usable key, which is logged.
    """
    if locked_series.stream_id is None:
        return None
    try:
        return sealing.seal(locked_series.stream_id, [locked_series.stream_id], sealing.load_key_in_use())
    except SealKeyError as error:
        log.error("not sealed: %s (%s)", error.detail, error.code)
        return None


def seal_changed() -> int:
    """Seal every series that changed while there was no usable key; return their number."""
    sealed = 0
    for series in list_unsealed_series():
        with transaction.atomic():
            locked_series = ClubSeries.objects.select_for_update(no_key=True).get(pk=series.pk)
            sealed += seal_series(locked_series) is not None
    return sealed
