"""Audit of a view: a log in which one observer's secrets of the others are null.

What is closed is unknown, as in a transcript: each command is decided as if the table had been written down
with unknown cards. A consequence is compared as far as both sides of it are known; a card that the rules
forbid is found as soon as the view itself proves it. What follows from closed facts alone cannot be checked
and is counted.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from engine.audit import Difference
from engine.audit.command_of_event import begins, cause_of
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
from engine.registry import table_of

KNOWN_LATER: Final = frozenset({"face_down", "totals", "ties", "mode", "view"})
"""Fields that a transcript states otherwise than a game that the server deals, or cannot state yet."""


class ViewAudit(NamedTuple):
    """`difference`: the first place where the view contradicts the rules. `closed`: how many values of each
    secret field are closed, as `event.field`. `unchecked`: events that follow from closed facts."""

    difference: Difference | None
    closed: dict[str, int]
    unchecked: int


def is_view(log: Sequence[Event]) -> bool:
    """Whether a log says that it is a view, or has closed what a game that the server dealt always knows."""
    start = log[0]
    if not isinstance(start, GameStarted):
        return False
    return start.view is not None or (start.mode == "dealt" and any(_closed_fields(log)))


def audit_view(log: Sequence[Event]) -> ViewAudit:
    """Check a view as far as it can be checked. Raises CorruptLog where it is no log of a game."""
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
    table = table_of(state)
    at, count, unchecked = 0, len(told), 0
    while at < count:
        first = at
        try:
            if told[at].seq != at:
                raise IllegalCommand("log/wrong_seq", f"number {at} comes next")
            expected = decide(table, cause_of(table, told, at))
        except IllegalCommand as error:
            return Difference(at, log[at], None, f"a refusal ({error})"), unchecked
        for wanted in expected:
            recorded = told[at] if at < count else None
            while recorded is not None and _follows_from_closed(recorded, wanted, told, first):
                evolve(state, recorded)
                at, unchecked = at + 1, unchecked + 1
                recorded = told[at] if at < count else None
            if recorded is None or recorded.seq != at or not _agree(state, recorded, wanted):
                return Difference(at, None if recorded is None else log[at], wanted), unchecked
            evolve(state, recorded)
            at += 1
        while at < count and _follows_from_closed(told[at], None, told, first):
            evolve(state, told[at])
            at, unchecked = at + 1, unchecked + 1
        if first == 0:
            table = table_of(state)
    return None, unchecked


def _as_transcript(log: Sequence[Event]) -> list[Event]:
    """The same events with what is closed stated as a transcript states what it does not know. A card that
    was turned is known to have been in its seat's hand."""
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
    """Whether a recorded event may follow from closed facts, where the rules give another one or none."""
    if type(recorded) is type(wanted) or begins(log, recorded.seq):
        return False
    if isinstance(recorded, TableCardTurned):
        return True  # it lay closed
    if isinstance(recorded, InfractionFound):
        return True  # a referee's record proves it
    before = log[recorded.seq - 1]
    return isinstance(recorded, GameEnded) and isinstance(before, DealScored) and recorded.seq - 1 > first


def _agree(state: State, recorded: Event, wanted: Event) -> bool:
    """Whether an event is what the rules give, as far as both are known."""
    if type(recorded) is not type(wanted):
        return False
    for name in recorded.__struct_fields__:
        if name == "seq":
            continue  # the rules count no event that follows from closed facts
        told, due = getattr(recorded, name), getattr(wanted, name)
        if name == "shown" and all(shown in told for shown in due):
            continue  # more melds were shown than a view knows of
        if not _same(told, due) and not (name in KNOWN_LATER and _open(wanted)):
            return False
    if isinstance(recorded, DealScored) and isinstance(wanted, DealScored) and _open(wanted):
        return _totals_add_up(state, recorded)
    return True


def _open(event: Event) -> bool:
    """Whether something of an event that the rules give is not known."""
    return isinstance(event, GameStarted | HandDealt) or any(
        value is None or value == [] or (isinstance(value, list | tuple) and None in value)
        for value in (getattr(event, name) for name in event.__struct_fields__)
    )


def _same(told: Any, due: Any) -> bool:
    """Equal, or not known on one side; of cards in a hand the known ones are among the others."""
    if told == due or told is None or due is None:
        return True
    if isinstance(told, list | tuple) and isinstance(due, list | tuple):
        if len(told) == len(due):
            return all(_same(*pair) for pair in zip(told, due, strict=True)) or set(map(str, told)) == set(
                map(str, due)
            )
        if all(isinstance(value, str) for value in (*told, *due)):
            return set(due) <= set(told) or set(told) <= set(due)
    return False


def _totals_add_up(state: State, recorded: DealScored) -> bool:
    """Whether totals are those before and the scores of the deal."""
    before = state.totals or (0,) * len(recorded.totals)
    return all(
        score is None or total == old + score
        for total, old, score in zip(recorded.totals, before, recorded.scores, strict=False)
    )
