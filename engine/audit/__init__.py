"""Audit: decide the commands of a recorded game again, and compare every event."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.audit.command_of_event import find_command
from engine.codec import encode
from engine.decider import decide, open_phase
from engine.errors import FOLD_ERRORS, CorruptLog, IllegalCommand
from engine.events import Event, GameStarted
from engine.ledger.evolve import evolve
from engine.ledger.state import State
from engine.registry import build_game_context


class Difference(NamedTuple):
    """A place where a record does not follow the rules. `recorded`: the event at `seq`, None if missing.
    `expected`: the event that the rules give; None if they refuse, and `why` is the refusal.
    """

    seq: int
    recorded: Event | None
    expected: Event | None
    why: str = ""

    def __str__(self) -> str:
        recorded = "nothing" if self.recorded is None else encode(self.recorded).decode()
        expected = self.why if self.expected is None else encode(self.expected).decode()
        return f"seq {self.seq}: recorded {recorded}; the rules give {expected}"


def audit(log: Sequence[Event]) -> Difference | None:
    """Return the first difference between a log and the rules; None without one. Raises CorruptLog for a log
    that does not begin with game_started.
    """
    differences = audit_all(log, most=1)
    return differences[0] if differences else None


def audit_all(log: Sequence[Event], most: int = 1000) -> list[Difference]:
    """Return at most `most` differences in the order of the log. Raises CorruptLog for a log that does not
    begin with game_started.

    After a difference the audit follows the record. It stops at a refusal, an event of another type, and an
    event that cannot be folded.
    """
    if not log or type(log[0]) is not GameStarted:
        raise CorruptLog("log/no_start", "a log begins with game_started")
    found: list[Difference] = []
    try:
        _compare(log, most, found)
    except FOLD_ERRORS:
        if not found:  # no difference before the error: a defect of this engine, not of the record
            raise
    return found


def _compare(log: Sequence[Event], most: int, found: list[Difference]) -> None:
    state = State()
    context = build_game_context(state)
    at, count = 0, len(log)
    while at < count:
        followed = open_phase(context).audit_run(context, log, at)
        if followed:
            at += followed
            continue
        event = log[at]
        try:
            if event.seq != at:
                raise IllegalCommand("log/wrong_seq", f"number {at} comes next")
            expected = decide(context, find_command(context, log, at))
        except IllegalCommand as error:
            found.append(Difference(at, event, None, f"a refusal ({error})"))
            return
        for wanted in expected:
            recorded = log[at] if at < count else None
            if recorded != wanted:
                found.append(Difference(at, recorded, wanted))
                if recorded is None or type(recorded) is not type(wanted) or len(found) == most:
                    return
                wanted = recorded
            evolve(state, wanted)
            at += 1
        if type(event) is GameStarted:
            context = build_game_context(state)
