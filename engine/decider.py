"""decide: a command becomes events, or is refused. Whose turn it is, is derived from the first open phase."""

from typing import Final

from engine import anytime, ruling, starting
from engine.cards import DECK
from engine.commands import NAMES, Close, Command, Play, Resume, Rule, TakeBack
from engine.errors import IllegalCommand
from engine.events import Event
from engine.ledger.evolve import replay
from engine.ledger.state import NextPlay, State
from engine.phases import sheet
from engine.registry import table_of
from engine.rules import Chooser, Decider, Phase, Table, Turn, not_open, on
from engine.transcripts.transcribing import TOLD_LATER

_ANYTIME: Final = (
    on(Rule, ruling.rule)
    | on(Close, anytime.close)
    | on(Resume, anytime.resume)
    | on(TakeBack, anytime.take_back)
)


def table_at(at: State | Table) -> Table:
    """The table of a state, or itself. Whoever asks several questions about a state makes the table once."""
    return at if type(at) is Table else table_of(at)


def open_phase(table: Table) -> Phase:
    """The first phase that is open (the last one of a game always is); found once for each stage."""
    state = table.state
    if table.phase_at == state.stage:
        return table.phase
    if not state.variant:
        phase = starting.STARTING
    elif state.over or state.closed:
        phase = sheet.SHEET_OVER if state.mode == "sheet" else anytime.OVER
    else:
        at = 0
        while not table.rules.phases[at].is_open(table):
            at += 1
        phase = table.rules.phases[at]
    table.phase = phase
    table.phase_at = state.stage
    return phase


def decide(at: State | Table, command: Command) -> list[Event]:
    """The events that follow from a command; the state stays as it was. Raises IllegalCommand."""
    table = at if type(at) is Table else table_of(at)
    return _decider(table, command)(table, command)


def advance(at: State | Table, command: Command) -> list[Event]:
    """Decide a command and write what follows from it into the state. Raises IllegalCommand, with the state
    as it was."""
    table = at if type(at) is Table else table_of(at)
    events = _decider(table, command)(table, command)
    replay(events, table.state)
    return events


def _decider(table: Table, command: Command) -> Decider:
    phase = table.phase if table.phase_at == table.state.stage else open_phase(table)
    try:
        return phase.deciders[type(command)]
    except KeyError:
        return _beside_the_turn(table, phase, command)


def play_out(at: State | Table, choose: Chooser) -> list[Event]:
    """Play the deal to its end, asking for each card, for whoever thinks ahead; nothing is declared. What
    happens is written into the state, and is the same as `advance` with a Play for each card.

    Raises IllegalCommand where something else than a card is due, and for a card that may not be played;
    everything before it stands. An error of `choose` leaves a trick half written.
    """
    table = table_at(at)
    log: list[Event] = []
    while True:
        phase = open_phase(table)
        phase.play_fast(table, choose, log)
        if log and not table.state.dealing:
            return log
        seat, legal = phase.next_legal(table)
        if seat is None:
            raise not_open("play", phase.kind)
        log += advance(table, Play(seat=seat, card=DECK[choose(seat, legal)]))


def _beside_the_turn(table: Table, phase: Phase, command: Command) -> Decider:
    state = table.state
    if state.variant:
        decider = _ANYTIME.get(type(command))
        if decider is None and phase.kind != anytime.OVER.kind:
            decider = table.rules.variant.anytime.get(type(command))
        if decider is None and type(command) in TOLD_LATER and anytime.may_open_again(state):
            decider = _after_the_last_card
        if decider is not None:
            return decider
    if type(command) not in NAMES:
        raise IllegalCommand("command/unknown", f"not a command: {command!r:.60}")
    raise not_open(NAMES[type(command)], phase.kind)


def _after_the_last_card(table: Table, command: Command) -> list[Event]:
    """Tell what was not known of a deal when it was closed: it is opened again, and closed with it."""
    draft = anytime.opened_again(table)
    for event in decide(draft.table, command):
        draft.take(event)
    return draft.events


def to_act(at: State | Table) -> Turn | None:
    """Whose turn it is and what is open to that seat; None when the game is over."""
    table = table_at(at)
    phase = open_phase(table)
    return None if phase.kind == anytime.OVER.kind else phase.turn(table)


def next_play(at: State | Table) -> NextPlay:
    """Whose card comes next and the mask of what may be played; (None, 0) where no card is to be played."""
    table = at if type(at) is Table else table_of(at)
    state = table.state
    if table.play_at == state.seq:
        return table.next_play
    return (table.phase if table.phase_at == state.stage else open_phase(table)).next_legal(table)


def offers(at: State | Table) -> list[Command]:
    """Commands whose turn it is may choose from: all where they are few, else a fair sample."""
    table = table_at(at)
    return open_phase(table).offers(table)


def legal_cards(at: State | Table, seat: int | None = None) -> int:
    """The mask of cards a seat (default: whose turn it is) may play now; 0 when no card is to be played by
    it."""
    turn, legal = next_play(at)
    return legal if seat is None or seat == turn else 0
