"""Audit of a view: a log in which the secrets of other seats are null.

Hidden values are treated as unknown, as in a transcript: each command is decided as if the table had been
transcribed with unknown cards. Events are compared as far as the values are known on both sides. An illegal
card is found once the view itself proves that it was illegal. Events that follow only from hidden facts
cannot be checked and are counted.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from engine.audit import Difference
from engine.audit.command_of_event import find_command, starts_command
from engine.decider import decide
from engine.errors import FOLD_ERRORS, CorruptLog, IllegalCommand
from engine.events import (
    CardsDiscarded,
    DealScored,
    DealStarted,
    Event,
    GameEnded,
    GameStarted,
    HandDealt,
    InfractionFound,
    TableCardTurned,
    TrumpTurned,
)
from engine.events.secrecy import secret_fields
from engine.ledger.evolve import evolve
from engine.ledger.state import State
from engine.registry import build_game_context

MODE_DEPENDENT_FIELDS: Final = frozenset({"face_down", "totals", "ties", "mode", "view"})
"""Fields of events that differ between a transcript and a dealt game, or that a transcript does not know
yet.
"""


class ViewAudit(NamedTuple):
    """Result of the audit of a view.

    `difference`: the first contradiction between view and rules. `closed`: the number of hidden values by
    secret field, as `event.field`. `unchecked`: the number of events that follow from hidden facts.
    """

    difference: Difference | None
    closed: dict[str, int]
    unchecked: int


def is_view(log: Sequence[Event]) -> bool:
    """Return whether a log is marked as a view, or is the log of a dealt game with hidden values."""
    start = log[0] if log else None
    if not isinstance(start, GameStarted):
        return False
    return start.view is not None or (start.mode == "dealt" and any(_closed_fields(log)))


def audit_view(log: Sequence[Event]) -> ViewAudit:
    """Audit a view as far as it is known. Raises CorruptLog for a log that is not that of a possible game."""
    start = log[0] if log else None
    if not isinstance(start, GameStarted):
        raise CorruptLog("log/no_start", "a log begins with game_started")
    closed = Counter(_closed_fields(log))
    try:
        difference, unchecked = _compare(log)
    except FOLD_ERRORS:
        raise CorruptLog("log/impossible", "an event cannot follow what comes before it") from None
    return ViewAudit(difference, dict(sorted(closed.items())), unchecked)


def _closed_fields(log: Iterable[Event]) -> Iterable[str]:
    for event in log:
        for name in secret_fields(type(event)):
            if getattr(event, name) is None:
                yield f"{event.__struct_config__.tag}.{name}"


def _compare(log: Sequence[Event]) -> tuple[Difference | None, int]:
    told = _as_transcript(log)
    state = State()
    context = build_game_context(state)
    at, count, unchecked = 0, len(told), 0
    while at < count:
        first = at
        try:
            if told[at].seq != at:
                raise IllegalCommand("log/wrong_seq", f"number {at} comes next")
            expected = decide(context, find_command(context, told, at))
        except IllegalCommand as error:
            return Difference(at, log[at], None, f"a refusal ({error})"), unchecked
        for wanted in expected:
            recorded = told[at] if at < count else None
            while recorded is not None and _follows_from_closed(recorded, wanted, told, first):
                evolve(state, recorded)
                at, unchecked = at + 1, unchecked + 1
                recorded = told[at] if at < count else None
            if recorded is None or recorded.seq != at or not _matches_rules(state, recorded, wanted):
                return Difference(at, None if recorded is None else log[at], wanted), unchecked
            evolve(state, recorded)
            at += 1
        while at < count and _follows_from_closed(told[at], None, told, first):
            evolve(state, told[at])
            at, unchecked = at + 1, unchecked + 1
        if first == 0:
            context = build_game_context(state)
    return None, unchecked


def _as_transcript(log: Sequence[Event]) -> list[Event]:
    """Return the log with hidden values replaced by the unknown values of a transcript. A turned card is
    known to have been in its seat's hand.
    """
    told: list[Event] = []
    hands: dict[int, int] = {}
    for event in log:
        if isinstance(event, GameStarted) and event.mode == "dealt":
            event = msgspec.structs.replace(event, mode="transcribed")
        elif isinstance(event, CardsDiscarded) and event.cards is None:
            event = msgspec.structs.replace(event, cards=[])
        elif isinstance(event, DealStarted):
            hands = {}
        elif isinstance(event, HandDealt):
            hands[event.seat] = len(told)
        elif isinstance(event, TrumpTurned) and event.seat in hands:
            at = hands[event.seat]
            dealt = told[at]
            if isinstance(dealt, HandDealt) and dealt.cards is None:
                told[at] = msgspec.structs.replace(dealt, cards=[event.card])
        told.append(event)
    return told


def _follows_from_closed(recorded: Event, wanted: Event | None, log: Sequence[Event], first: int) -> bool:
    """Return whether a recorded event may follow from hidden facts, although the rules give another event
    (`wanted`) or none.
    """
    if type(recorded) is type(wanted) or starts_command(log, recorded.seq):
        return False
    if isinstance(recorded, TableCardTurned):
        return True  # it lay closed
    if isinstance(recorded, InfractionFound):
        return True  # the full log proves it
    before = log[recorded.seq - 1]
    return isinstance(recorded, GameEnded) and isinstance(before, DealScored) and recorded.seq - 1 > first


def _matches_rules(state: State, recorded: Event, wanted: Event) -> bool:
    """Return whether a recorded event equals the event that the rules give, as far as the values of both are
    known.
    """
    if type(recorded) is not type(wanted):
        return False
    for name in recorded.__struct_fields__:
        if name == "seq":
            continue  # the rules do not count events that follow from hidden facts
        told, due = getattr(recorded, name), getattr(wanted, name)
        if name == "shown" and all(shown in told for shown in due):
            continue  # more melds were shown than a view knows
        if not _match(told, due) and not (name in MODE_DEPENDENT_FIELDS and _has_unknown(wanted)):
            return False
    if isinstance(recorded, DealScored) and isinstance(wanted, DealScored) and _has_unknown(wanted):
        return _totals_add_up(state, recorded)
    return True


def _has_unknown(event: Event) -> bool:
    """Return whether an expected event contains unknown values."""
    return isinstance(event, GameStarted | HandDealt) or any(
        value is None or value == [] or (isinstance(value, list | tuple) and None in value)
        for value in (getattr(event, name) for name in event.__struct_fields__)
    )


def _match(told: Any, due: Any) -> bool:
    """Return whether two values match. Unknown values match everything. Of two lists of cards with different
    lengths, one must contain the other.
    """
    if told == due or told is None or due is None:
        return True
    if isinstance(told, list | tuple) and isinstance(due, list | tuple):
        if len(told) == len(due):
            return all(_match(*pair) for pair in zip(told, due, strict=True)) or set(map(str, told)) == set(
                map(str, due)
            )
        if all(isinstance(value, str) for value in (*told, *due)):
            return set(due) <= set(told) or set(told) <= set(due)
    return False


def _totals_add_up(state: State, recorded: DealScored) -> bool:
    """Return whether the totals are the previous totals plus the scores of the deal."""
    before = state.totals or (0,) * len(recorded.totals)
    return all(
        score is None or total == old + score
        for total, old, score in zip(recorded.totals, before, recorded.scores, strict=False)
    )
