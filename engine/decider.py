"""The decider: turns a command into events or refuses it, and tells whose turn it is.

Each variant has a list of phases. The first open phase has the turn and decides most commands.
"""

from typing import Final

from engine import anytime, ruling, starting, taking_back
from engine.cards import DECK
from engine.commands import NAMES, Close, Command, Play, Resume, Rule, TakeBack
from engine.errors import IllegalCommand
from engine.events import Event
from engine.ledger.evolve import replay
from engine.ledger.state import NextPlay, State
from engine.phases import sheet
from engine.registry import build_game_context
from engine.rules import Chooser, Decider, GameContext, Phase, Turn, not_open, on
from engine.transcripts.transcribing import LATE_COMMANDS

_ANYTIME: Final = (
    on(Rule, ruling.decide_ruling)
    | on(Close, anytime.close_game)
    | on(Resume, anytime.resume_game)
    | on(TakeBack, taking_back.take_back)
)


def to_game_context(at: State | GameContext) -> GameContext:
    """Return the context of a state; a context is returned as it is."""
    return at if type(at) is GameContext else build_game_context(at)


def open_phase(context: GameContext) -> Phase:
    """Return the first open phase. The context caches it by `phase_version`."""
    state = context.state
    if context.phase_at == state.phase_version:
        return context.phase
    if not state.variant:
        phase = starting.STARTING
    elif state.over or state.closed:
        phase = sheet.SHEET_OVER if state.mode == "sheet" else anytime.OVER
    else:
        at = 0
        while not context.rules.phases[at].is_open(context):
            at += 1
        phase = context.rules.phases[at]
    context.phase = phase
    context.phase_at = state.phase_version
    return phase


def decide(at: State | GameContext, command: Command) -> list[Event]:
    """Return the events that follow from a command. The state is unchanged. Raises IllegalCommand if the
    rules refuse the command.
    """
    context = at if type(at) is GameContext else build_game_context(at)
    return _decider(context, command)(context, command)


def advance(at: State | GameContext, command: Command) -> list[Event]:
    """Decide a command, fold its events into the state, and return them. Raises IllegalCommand, with the
    state unchanged, if the rules refuse the command.
    """
    context = at if type(at) is GameContext else build_game_context(at)
    events = _decider(context, command)(context, command)
    replay(events, context.state)
    return events


def _decider(context: GameContext, command: Command) -> Decider:
    phase = context.phase if context.phase_at == context.state.phase_version else open_phase(context)
    try:
        return phase.deciders[type(command)]
    except KeyError:
        return _out_of_turn_decider(context, phase, command)


def rollout(at: State | GameContext, choose: Chooser) -> list[Event]:
    """Play the current deal to its end with cards from `choose`, without declarations; return the events.

    It folds the same events into the state as `advance` with a Play for each card. Raises IllegalCommand if
    the next command is not a card, or for an illegal card; events decided before remain in the state. An
    exception in `choose` may leave the state unusable.
    """
    context = to_game_context(at)
    log: list[Event] = []
    while True:
        phase = open_phase(context)
        phase.play_fast(context, choose, log)
        if log and not context.state.dealing:
            return log
        seat, legal = phase.next_legal(context)
        if seat is None:
            raise not_open("play", phase.kind)
        log += advance(context, Play(seat=seat, card=DECK[choose(seat, legal)]))


def _out_of_turn_decider(context: GameContext, phase: Phase, command: Command) -> Decider:
    state = context.state
    if state.variant:
        decider = _ANYTIME.get(type(command))
        if decider is None and phase.kind != anytime.OVER.kind:
            decider = context.rules.variant.anytime.get(type(command))
        if decider is None and type(command) in LATE_COMMANDS and taking_back.can_reopen_deal(state):
            decider = _decide_after_last_card
        if decider is not None:
            return decider
    if type(command) not in NAMES:
        raise IllegalCommand("command/unknown", f"not a command: {command!r:.60}")
    raise not_open(NAMES[type(command)], phase.kind)


def _decide_after_last_card(context: GameContext, command: Command) -> list[Event]:
    """Return the events of a late command after the last card: they reopen the deal, add the command's facts
    and score the deal again.
    """
    draft = taking_back.reopen_deal(context)
    for event in decide(draft.context, command):
        draft.emit(event)
    return draft.events


def to_act(at: State | GameContext) -> Turn | None:
    """Return the turn: a seat and its open commands. None if the game is over or closed."""
    context = to_game_context(at)
    phase = open_phase(context)
    return None if phase.kind == anytime.OVER.kind else phase.turn(context)


def next_play(at: State | GameContext) -> NextPlay:
    """Return the seat to play and the mask of its legal cards; (None, 0) if no seat is known to be due."""
    context = at if type(at) is GameContext else build_game_context(at)
    state = context.state
    if context.play_at == state.seq:
        return context.next_play
    return (context.phase if context.phase_at == state.phase_version else open_phase(context)).next_legal(
        context
    )


def list_offers(at: State | GameContext) -> list[Command]:
    """Return legal commands of the seat in turn: all or a sample; empty in phases without offers."""
    context = to_game_context(at)
    return open_phase(context).offers(context)


def legal_cards(at: State | GameContext, seat: int | None = None) -> int:
    """Return the mask of the cards that a seat may play now; 0 if it is not its turn. `seat` None: the seat
    in turn.
    """
    turn, legal = next_play(at)
    return legal if seat is None or seat == turn else 0
