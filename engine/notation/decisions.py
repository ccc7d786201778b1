"""Decisions of a log: each command with the events that followed from it.

The functions work on redacted events and reveal nothing more: values hidden in a view are None in the
command, which then cannot be decided again.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.audit.command_of_event import find_command, reopens_deal, starts_command
from engine.commands import Choose, Command, Declare, Discard, Exchange, Play, Predict, Start
from engine.decider import decide
from engine.errors import CorruptLog, IllegalCommand, convert_fold_errors
from engine.events import (
    CardsDiscarded,
    Event,
    ExtraExchanged,
    GameStarted,
    MeldsDeclared,
    PredictionMade,
)
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.registry import VARIANTS, build_game_context, compile_rules, get_rules
from engine.rules import GameContext


class Decision(NamedTuple):
    """A command, its events and the number of seats. If the events are not known, they are empty and `seats`
    is 0. `by_card`: the command records what the card of another seat caused.
    """

    command: Command
    events: Sequence[Event]
    seats: int
    by_card: bool = False


def iter_log_decisions(log: Sequence[Event]) -> Iterator[Decision]:
    """Yield the decisions of one game, from a full log or a view. Raises CorruptLog for events that are no
    game.
    """
    state = State()
    at = 0
    while at < len(log):
        end = at + 1
        while end < len(log) and not starts_command(log, end):
            end += 1
        if not state.variant and not isinstance(log[at], GameStarted):
            raise CorruptLog("log/no_start", "a log begins with game_started")
        try:
            with convert_fold_errors():
                command = _find_visible_command(build_game_context(state), log, at)
                replay(log[at:end], state)
        except IllegalCommand as error:
            raise CorruptLog(error.code, f"seq {at}: {error.detail}", seq=at) from None
        yield Decision(command, log[at:end], state.seats, _by_card(state, command))
        at = end


def iter_command_decisions(commands: Iterable[Command]) -> Iterator[Decision]:
    """Yield commands as decisions. From the first command that the rules refuse, no events are known."""
    state: State | None = State()
    for command in commands:
        events: list[Event] = []
        if state is not None:
            try:
                events = decide(state, command)
            except (IllegalCommand, CorruptLog):
                state = None
            else:
                for event in events:
                    evolve(state, event)
        if state is None:
            yield Decision(command, events, 0)
        else:
            yield Decision(command, events, state.seats, _by_card(state, command))


def _by_card(state: State, command: Command) -> bool:
    return isinstance(command, Choose) and get_rules(state).by_card


def _find_visible_command(context: GameContext, log: Sequence[Event], at: int) -> Command:
    """Return the command that caused the event at index `at`, with None for values hidden in the view."""
    event = log[at + reopens_deal(log, at)]
    if isinstance(event, PredictionMade) and event.points is None:
        return Predict(seat=event.seat, points=None)  # written as ?
    if isinstance(event, CardsDiscarded) and event.cards is None:
        return Discard(seat=event.seat, cards=[None] * event.size)  # likewise
    if isinstance(event, ExtraExchanged) and event.given is None:
        return Exchange(seat=event.seat, cards=[None] * event.size)  # likewise
    command = find_command(context, log, at)
    if isinstance(command, Start):
        return _shorten_start(command)
    if isinstance(event, MeldsDeclared) and isinstance(command, Play | Declare) and event.melds is None:
        unknown: Any = [[None]] * len(event.declared)
        return replace(command, melds=unknown, heard=None)
    return command


def _shorten_start(start: Start) -> Start:
    """Return the shortest command that starts the same game: a fitting preset, and the options that differ
    from it.
    """
    found = [start]
    presets = VARIANTS[start.variant].presets if start.variant in VARIANTS else {}
    for preset, chosen in ((None, {}), *presets.items()):
        try:
            base = _complete_options(start, dict(chosen))
            differing = {name: value for name, value in start.options.items() if base.get(name) != value}
            if _complete_options(start, {**chosen, **differing}) == start.options:
                found.append(replace(start, options=differing, preset=preset))
        except IllegalCommand:
            break
    return min(found, key=lambda start: len(start.options))


def _complete_options(start: Start, options: dict[str, Any]) -> dict[str, Any]:
    return compile_rules(start.variant, start.seats, start.mode, options, start.hand_in).options_as_json()
