"""A game as a playthrough that is read: its notation, and beside it what each observer is shown.

The text is notation throughout (what is shown stands in comments), so it can be run:
`#|` how a decision reads for those who may not see all of it;
`#=` the table at chosen moments: before the first deal, when a kind of phase is first open, after the first
trick, at the end of the first deal and of the game. First all that there is, then what others see
differently.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine import Event, Observer, State, evolve, redact_events, replay, snapshot, to_act
from engine.events import DealScored, GameStarted, TrickTaken
from engine.notation import Decision, format_decision, iter_log_decisions

View = list[Decision]


def playthrough(log: Sequence[Event]) -> str:
    """The whole game as text."""
    started = log[0]
    assert isinstance(started, GameStarted)
    observers = [Observer.spectator(), *map(Observer.seat, range(started.seats))]
    seen = {observer: list(redact_events(log, observer)) for observer in observers}
    views = {observer: list(iter_log_decisions(events)) for observer, events in seen.items()}
    lines: list[str] = []
    state = State()
    told: set[str] = set()
    for at, decision in enumerate(iter_log_decisions(log)):
        if lines and type(decision.command).__name__ == "Deal":
            lines.append("")
        for event in decision.events:
            evolve(state, event)
        lines += format_decision(decision)
        lines += _read_otherwise(decision, {str(o): views[o][at] for o in observers})
        moment = _moment(state, decision.events, told)
        if moment is not None:
            lines.append(f"    #= {moment}, seq {state.seq - 1}")
            lines += _pictures(state, {o: events[: state.seq] for o, events in seen.items()})
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _read_otherwise(decision: Decision, views: dict[str, Decision]) -> Iterator[str]:
    """The lines of a decision as those read it who do not see all of it; who reads the same shares them."""
    whole = "\n".join(format_decision(decision))
    readers: dict[str, list[str]] = {}
    for name, view in views.items():
        readers.setdefault("\n".join(format_decision(view)), []).append(name)
    for text, names in readers.items():
        if text != whole:
            yield f"    #| {', '.join(names)}"
            yield from (f"    #|   {line}" for line in text.splitlines())


def _moment(state: State, events: Sequence[Event], told: set[str]) -> str | None:
    """What makes this moment one to look at; None where nothing does."""
    turn = to_act(state)
    names = [] if turn is None else [f"phase {turn.phase}"]
    if any(isinstance(event, TrickTaken) for event in events):
        names.append("first trick")
    if any(isinstance(event, DealScored) for event in events):
        names.append("end of the deal")
    if turn is None:
        names.append("end of the game")
    new = [name for name in names if name not in told]
    told.update(names)
    return ", ".join(new) or None


def _pictures(state: State, views: dict[Observer, list[Event]]) -> Iterator[str]:
    whole = snapshot(state, Observer.referee())
    for name, value in whole.items():
        if name not in ("options", "seq") and (value or value == 0):
            yield f"    #=   {name}: {_plain(value)}"
    for observer, events in views.items():
        picture = snapshot(replay(events), observer)
        for name, value in picture.items():
            if value != whole[name]:
                yield f"    #=   {name} for {observer}: {_plain(value)}"


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode().replace('"', "")
