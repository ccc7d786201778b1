"""decide: a command becomes events, or is refused. Whose turn it is, is derived from the first open phase."""

from typing import Final

from engine.anytime import closing
from engine.anytime import take_back as taking_back
from engine.cards import DECK
from engine.commands import NAMES, Close, Command, Play, Rule, TakeBack
from engine.errors import IllegalCommand
from engine.events import Event
from engine.ledger.evolve import replay
from engine.ledger.state import NextPlay, State
from engine.phases import starting
from engine.registry import prepare
from engine.rules import Chooser, Decider, Phase, Turn, not_open
from engine.rulings import ruling as rulings
from engine.transcripts.transcribing import TOLD_LATER

_ANYTIME: Final[dict[type[Command], Decider]] = {
    Rule: rulings.rule,
    Close: closing.close,
    TakeBack: taking_back.take_back,
}


def open_phase(state: State) -> Phase:
    """Find the first phase that is open (the last one of a game always is) and keep it in the state until it
    changes."""
    if not state.variant:
        phase = starting.STARTING
    elif state.over or state.closed:
        phase = closing.OVER
    else:
        prepare(state)
        at = 0
        while not state.rules.phases[at].is_open(state):
            at += 1
        phase = state.rules.phases[at]
    state.phase = phase
    return phase


def decide(state: State, command: Command) -> list[Event]:
    """The events that follow from a command; the state stays as it was. Raises IllegalCommand."""
    phase = state.phase or open_phase(state)
    try:
        decider = phase.deciders[type(command)]
    except KeyError:
        decider = _beside_the_turn(state, phase, command)
    return decider(state, command)


def advance(state: State, command: Command) -> list[Event]:
    """Decide a command and write what follows from it into the state. Raises IllegalCommand, with the state
    as it was."""
    events = decide(state, command)
    replay(events, state)
    return events


def play_out(state: State, choose: Chooser) -> list[Event]:
    """Play the deal to its end, asking for each card, for whoever thinks ahead; nothing is declared. What
    happens is written into the state, and is the same as `advance` with a Play for each card.

    Raises IllegalCommand where something else than a card is due, and for a card that may not be played;
    everything before it stands. An error of `choose` leaves a trick half written.
    """
    log: list[Event] = []
    while True:
        phase = state.phase or open_phase(state)
        phase.play_on(state, choose, log)
        if log and not state.dealing:
            return log
        seat, legal = phase.look(state)
        if seat is None:
            raise not_open("play", phase.kind)
        log += advance(state, Play(seat=seat, card=DECK[choose(seat, legal)]))


def _beside_the_turn(state: State, phase: Phase, command: Command) -> Decider:
    if state.variant:
        prepare(state)
        decider = _ANYTIME.get(type(command))
        if decider is None and phase is not closing.OVER:
            decider = state.rules.variant.anytime.get(type(command))
        if decider is None and type(command) in TOLD_LATER and taking_back.may_open_again(state):
            decider = _after_the_last_card
        if decider is not None:
            return decider
    if type(command) not in NAMES:
        raise IllegalCommand("command/unknown", f"not a command: {command!r:.60}")
    raise not_open(NAMES[type(command)], phase.kind)


def _after_the_last_card(state: State, command: Command) -> list[Event]:
    """Tell what was not known of a deal when it was closed: it is opened again, and closed with it."""
    draft = taking_back.opened_again(state)
    for event in decide(draft.state, command):
        draft.take(event)
    return draft.events


def to_act(state: State) -> Turn | None:
    """Whose turn it is and what is open to that seat; None when the game is over."""
    phase = state.phase or open_phase(state)
    if phase is closing.OVER:
        return None
    return phase.turn(state)


def next_play(state: State) -> NextPlay:
    """Whose card comes next and the mask of what may be played; (None, 0) where no card is to be played."""
    return state.next_play or (state.phase or open_phase(state)).look(state)


def offers(state: State) -> list[Command]:
    """Commands whose turn it is may choose from: all where they are few, else a fair sample."""
    phase = state.phase or open_phase(state)
    return phase.offers(state)


def legal_cards(state: State, seat: int | None = None) -> int:
    """The mask of cards a seat (default: whose turn it is) may play now; 0 when no card is to be played by
    it."""
    turn, legal = next_play(state)
    return legal if seat is None or seat == turn else 0
