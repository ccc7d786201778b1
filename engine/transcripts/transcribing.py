"""Phase `trick_play` of a transcribed game: records play at a physical table.

Illegal acts are not refused; `infraction_found` follows once the record proves them. An act that is
impossible with one deck (a card twice, a seat twice in a trick) is a clerical error and refused. Acts before
the first card may be left out if they are unknown. The contract, the auction and predictions may be recorded
later, even after the last card; then the deal is scored again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as replace_fields

from engine.cards import INDEX
from engine.commands import NAMES, Bid, Choose, Command, Declare, Defer, Discard, Pass, Play, Predict, Show
from engine.contracts import CONTRACTS, STRENGTH
from engine.errors import IllegalCommand
from engine.events import AuctionFailed, CardPlayed, ContractSet, Event, TrickTaken
from engine.infractions.faults import Faults
from engine.infractions.findings import (
    Finding,
    emit_finding,
    find_first_unknown,
    find_known_hand,
    held_elsewhere,
    list_findings,
    modes_at,
)
from engine.ledger.state import NextPlay, State
from engine.melds.declared_melds import find_false_melds
from engine.melds.declaring import score_melds, take_trick
from engine.phases.trick_play import close_trick, count_trick_points, set_named_trumps
from engine.rules import IN_TURN, Decider, Draft, GameContext, Phase, Turn, forehand, not_open, on
from engine.scoring.game_end import end_game_by_totals, end_if_target_reached
from engine.transcripts.transcript_melds import declare, find_false_stoeck, record_stoeck, show, write_melds
from engine.tricks.modes import strongest

LATE_COMMANDS: Final[tuple[type[Command], ...]] = (Choose, Bid, Defer, Pass, Discard, Predict)
"""Commands accepted after the first card: the contract, the auction with its discards, and predictions."""


def find_turn(context: GameContext, skipped: bool = False) -> int | None:
    """Return the seat that should play next; None if an unknown card leaves this open or, with `skipped`, a
    phase that was left out.
    """
    state = context.state
    if state.trick_seats:
        order = IN_TURN[state.seats][state.trick_seats[-1]]
        return next((seat for seat in order if seat not in state.trick_seats), None)
    return state.leader if state.tricks else _first_leader(context, skipped)


def _first_leader(context: GameContext, skipped: bool) -> int | None:
    state = context.state
    lead = context.rules.play.lead
    return lead(state) if lead is forehand or not (skipped or state.contract is None) else None


def _record_card(context: GameContext, command: Play, skipped: bool) -> list[Event]:
    state = context.state
    seat, card = command.seat, INDEX[command.card]
    if seat >= state.seats:
        raise IllegalCommand("play/no_such_seat", f"there is no seat {seat}", seat=seat)
    if seat in state.trick_seats:
        raise IllegalCommand("play/played_already", f"seat {seat} has played to this trick", seat=seat)
    if card >= 0 and state.played() >> card & 1:
        raise IllegalCommand("play/card_played_already", f"{command.card} has been played", card=command.card)
    turn = find_turn(context, skipped)
    draft = Draft(context)
    late = write_melds(draft, command, apart=False)
    at_seq = draft.seq
    draft.emit(CardPlayed(seq=draft.seq, seat=seat, card=command.card))
    number = len(state.tricks) + 1
    if turn is not None and seat != turn:
        emit_finding(draft, Finding(seat, number, "out_of_turn", at_seq))
    if card >= 0 and held_elsewhere(context, seat, card):
        emit_finding(draft, Finding(seat, number, "not_in_hand", at_seq))
    if late:
        emit_finding(draft, Finding(seat, number, "meld_late", state.seq))
    after = draft.state
    if context.rules.play.names_trumps and find_first_unknown(after) is None:
        set_named_trumps(draft)
    _emit_findings(draft, at_seq, skipped)
    if command.stoeck is not None and command.stoeck is not False:
        record_stoeck(draft, command, at_seq)
        if end_if_target_reached(draft):
            return draft.events
    if len(draft.state.trick) == state.seats:
        _complete(draft)
    return draft.events


def _emit_findings(draft: Draft, now: int, skipped: bool) -> None:
    """Emit all findings that the record proves. `now`: the seq of the event that completes the proof."""
    after = draft.state
    found = [*find_false_melds(draft.context), *find_false_stoeck(draft.context)]
    if after.tricks and _first_leader(draft.context, skipped) not in (None, after.tricks[0].seats[0]):
        found.append(Finding(after.tricks[0].seats[0], 1, "out_of_turn", after.tricks[0].seqs[0]))
    chooser, chosen_at = after.chooser, after.variant_state.chosen_at
    if after.won_in == after.deal and chosen_at is not None and chooser not in (None, after.declarer):
        found.append(Finding(chooser, 1, "out_of_turn", chosen_at))
    for who in range(after.seats):
        found += list_findings(draft.context, who)
    for finding in found:
        emit_finding(draft, finding, now)


def _complete(draft: Draft) -> None:
    state = draft.state
    if not state.tricks:
        score_melds(draft)
        if state.over:
            return
    last = len(state.tricks) + 1 == state.sizes[0]
    seat = _find_taker(draft.context)
    if seat is None or -1 in state.trick or state.contract is None:
        draft.emit(TrickTaken(seq=draft.seq, seat=seat, points=None))
    else:
        take_trick(draft, seat, count_trick_points(draft.context, state.trick, last), last)
    close_trick(draft, last)


def _find_taker(context: GameContext) -> int | None:
    """Return the seat that takes the trick; None if an unknown card or unknown trumps leave this open."""
    state = context.state
    lying = state.trick
    if lying[0] < 0:
        return None
    hidden = [card for card in range(36) if not state.played() >> card & 1] if -1 in lying else []
    takers = set()
    for mode in modes_at(context, len(state.tricks), len(lying)):
        best, strength = strongest(lying, mode), STRENGTH[mode][lying[0] // 9]
        if any(strength[card] > strength[lying[best]] for card in hidden):
            return None
        takers.add(best)
    return state.trick_seats[takers.pop()] if len(takers) == 1 else None


def _next_known_play(context: GameContext) -> NextPlay:
    state = context.state
    seat = find_turn(context)
    hand = 0 if seat is None else find_known_hand(state, seat)
    lying = [card for card in state.trick if card >= 0]
    modes = (
        modes_at(context, len(state.tricks), len(state.trick)) if len(state.tricks) < max(state.sizes) else ()
    )
    if state.trick and state.trick[0] >= 0 and len(modes) == 1:
        hand = context.rules.play.following[modes[0]](hand, lying)
    found = context.next_play = (seat, hand)
    context.play_at = state.seq
    return found


def _may_skip(state: State) -> bool:
    """Return whether the phases that were skipped cannot have changed any known hand."""
    variant_state = state.variant_state
    moves = variant_state.talon_size or any(variant_state.extra_sizes)
    known = variant_state.talon_open | variant_state.talon_closed
    for bits in (*state.hands, *variant_state.extra):
        known |= bits
    return len(set(state.sizes)) == 1 and not (moves and known)


def transcribe_phases(phases: Sequence[Phase]) -> tuple[Phase, ...]:
    """Return the phases of a variant for transcription.

    Acts before the first card may be recorded in any order. Their phases end with this card or, after a
    talon, with the discards. Commands in `LATE_COMMANDS` stay open while their facts are unknown.
    """
    dealing, *before, _ = phases
    naming = next(
        (phase.deciders[Choose] for phase in before if Choose in phase.deciders), _record_named_contract
    )

    def skipped(context: GameContext) -> bool:
        return any(phase.is_open(context) for phase in before)

    def play(context: GameContext, command: Play) -> list[Event]:
        return _record_card(context, command, skipped(context))

    def choose(context: GameContext, command: Choose) -> list[Event]:
        if not _open_to_choice(context):
            raise not_open("choose", "trick_play")
        return naming(context, _complete_choice(context, command))

    def begin(context: GameContext, command: Play) -> list[Event]:
        if not _may_skip(context.state):
            raise IllegalCommand(
                "play/cards_moved",
                "say first what became of the talon or the extra cards; cards may be unknown",
            )
        return play(context, command)

    def meanwhile(now: str, kind: type[Command]) -> Decider:
        def decide(context: GameContext, command: Command) -> list[Event]:
            for phase in before:
                if kind in phase.deciders and phase.is_open(context):
                    return phase.deciders[kind](context, command)
            raise not_open(NAMES[kind], now)

        return decide

    def later(decider: Decider) -> Decider:
        """Return a decider that also works after the first card. After the last card it scores the deal
        again, once all hands have equal size.
        """

        def decide(context: GameContext, command: Command) -> list[Event]:
            state = context.state
            if not state.begun:
                return decider(context, command)
            draft = Draft(context)
            for event in decider(context, command):
                draft.emit(event)
            after = draft.state
            if isinstance(draft.events[-1], AuctionFailed):
                raise IllegalCommand("pass/was_played", "somebody won the auction of a deal that was played")
            if len(after.tricks) == max(after.sizes):
                _emit_findings(draft, state.seq, skipped(draft.context))
                score_melds(draft)
                close_trick(draft, last=True)
                end_game_by_totals(draft)
            return draft.events

        return decide

    by_card = on(Choose, choose) | on(Play, begin)

    def until_play(phase: Phase) -> Phase:
        """Return a phase that is open before the first card, and later until discards after a talon are
        recorded.
        """
        said = {kind: meanwhile(phase.kind, kind) for other in before for kind in other.deciders}
        taken = by_card | said | {**phase.deciders}
        return replace(
            phase,
            is_open=lambda context: (
                (not context.state.begun or len(set(context.state.sizes)) > 1) and phase.is_open(context)
            ),
            deciders={kind: later(taken[kind]) for kind in taken},
        )

    since = {kind for phase in before for kind in phase.deciders}.intersection(LATE_COMMANDS)
    told = {kind: later(meanwhile("trick_play", kind)) for kind in since}

    def turn(context: GameContext) -> Turn:
        names = ["play", "choose"] if _open_to_choice(context) else ["play"]
        for phase in before:
            if not {Bid, Predict}.isdisjoint(phase.deciders) and phase.is_open(context):
                names += phase.turn(context).commands
        return Turn(find_turn(context), "trick_play", tuple(names))

    return (
        dealing,
        *map(until_play, before),
        Phase(
            "trick_play",
            lambda context: True,
            turn,
            on(Play, play) | on(Declare, declare) | on(Show, show) | told | {Choose: later(by_card[Choose])},
            next_legal=_next_known_play,
        ),
    )


def _open_to_choice(context: GameContext) -> bool:
    """Return whether the contract or its slot is not known yet."""
    state = context.state
    return state.contract is None or (bool(context.rules.play.slots) and state.slot is None)


def _complete_choice(context: GameContext, command: Choose) -> Choose:
    """Return a choice, completed with the contract or slot that is already known. Raises IllegalCommand if it
    contradicts what is known or adds nothing.
    """
    state = context.state
    contract, slot = command.contract or state.contract, command.slot or state.slot or command.slot
    known = (state.contract or contract, state.slot or slot)
    if known != (contract, slot) or (state.chooser is not None and known == (state.contract, state.slot)):
        raise IllegalCommand("choose/known_already", "another choice is written down, or nothing new is said")
    seat = command.seat if state.chooser is None else state.chooser
    return replace_fields(command, seat=seat, contract=contract, slot=slot)


def _record_named_contract(context: GameContext, command: Choose) -> list[Event]:
    """Return the event for the contract of a deal that an unknown card named."""
    faults = Faults(context.state, command.seat)
    faults.check_turn("choose", command.seat)
    by_card = [contract for phase in context.rules.phases for contract in phase.card_contracts]
    offered = CONTRACTS[:4] if context.rules.play.names_trumps else tuple(by_card)
    if command.contract not in offered or command.slot:
        raise IllegalCommand(
            "choose/contract_not_offered",
            f"{command.contract} is not played here",
            contract=command.contract,
            offered=list(offered),
        )
    draft = Draft(context)
    draft.emit(ContractSet(seq=draft.seq, contract=command.contract, seat=command.seat))
    return draft.events
