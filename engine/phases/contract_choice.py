"""Phase `contract_choice`: a seat names the contract or pushes the choice to another seat; in some games it
picks a slot.
"""

from collections.abc import Callable, Sequence

from engine.cards import codes
from engine.commands import Choose, Command, Push
from engine.contracts import Contract
from engine.errors import IllegalCommand
from engine.events import ContractSet, Event, HandTakenUp, Pushed
from engine.infractions.faults import Faults
from engine.ledger.evolve import evolve
from engine.ledger.state import State
from engine.phases.slots import Slots
from engine.rules import Draft, GameContext, Phase, Turn, forehand, on


def forehand_or_partner(context: GameContext) -> int:
    """Return forehand, or forehand's partner after a push."""
    state = context.state
    first = forehand(state)
    return (first + 2) % state.seats if state.pushed else first


def declarer(context: GameContext) -> int:
    """Return the winner of the auction, which must be over."""
    return context.state.declarer or 0


def once(context: GameContext) -> bool:
    """Return whether a push is still allowed in a game with one push per deal."""
    return not context.state.pushed


def never(context: GameContext) -> bool:
    """Return False, for games without pushes."""
    return False


def _take_up(state: State, draft: Draft) -> None:
    for seat in state.face_down:
        draft.emit(HandTakenUp(seq=draft.seq, seat=seat, cards=codes(state.hands[seat])))


def contract_choice(
    contracts: tuple[Contract, ...],
    seat_of: Callable[[GameContext], int] = forehand_or_partner,
    may_push: Callable[[GameContext], bool] = once,
    slots: Slots | None = None,
) -> Phase:
    """Return the phase. The seat `seat_of(context)` names one of `contracts`, or pushes if
    `may_push(context)`. `slots`: the slots, in games with slots.
    """

    def push(context: GameContext, command: Push) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat)
        faults.check_turn("push", seat_of(context))
        if not may_push(context):
            what = "a contract must be named now"
            faults.add(IllegalCommand("push/must_choose", what, seat=command.seat))
        draft = Draft(context)
        draft.emit(Pushed(seq=draft.seq, seat=command.seat))
        faults.emit(draft)
        _take_up(state, draft)
        return draft.events

    def may_have_chosen(context: GameContext) -> Sequence[int]:
        """Return the seats that may have chosen the contract.

        After the first card of a transcript, pushes may be missing in the record. If the winner of the
        auction is not known, every seat may have chosen.
        """
        state = context.state
        if state.chooser is not None:
            return (state.chooser,)
        if seat_of is declarer and state.won_in != state.deal:
            return range(state.seats)
        found, draft = [seat_of(context)], Draft(context)
        while (state.trick or state.tricks) and may_push(draft.context):
            draft.emit(Pushed(seq=draft.seq, seat=found[-1]))
            found.append(seat_of(draft.context))
        return found

    def choose(context: GameContext, command: Choose) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat, trick=1)
        seats = may_have_chosen(context)
        faults.check_turn("choose", command.seat if command.seat in seats else seats[0])
        if command.contract is None and (state.mode != "transcribed" or not command.slot):
            raise IllegalCommand("choose/contract_missing", "the contract must be named")
        if command.contract not in (None, state.contract, *contracts):
            faults.add(
                IllegalCommand(
                    "choose/contract_not_offered",
                    f"{command.contract} is not played here",
                    contract=command.contract,
                    offered=list(contracts),
                )
            )
        if slots is None and command.slot:
            raise IllegalCommand("choose/no_slots", "this game has no slots", slot=command.slot)
        slot = None if slots is None else slots.resolve(context, command, faults)
        draft = Draft(context)
        contract = command.contract
        if contract is None and slots is not None and slot is not None and len(slots.contracts[slot]) == 1:
            (contract,) = slots.contracts[slot]
        draft.emit(ContractSet(seq=draft.seq, contract=contract, seat=command.seat, slot=slot))
        faults.emit(draft)
        _take_up(state, draft)
        return draft.events

    def audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
        """Fold a contract that was named in turn from a log, and return 1. Return 0 in games with slots, or
        if a hand is not taken up yet.
        """
        state = context.state
        event = log[at]
        if type(event) is not ContractSet or event.seq != at or event.seat != seat_of(context):
            return 0
        if event.contract not in contracts or event.slot is not None or slots is not None or state.face_down:
            return 0
        evolve(state, event)
        return 1

    def offers(context: GameContext) -> list[Command]:
        seat = seat_of(context)
        offered: list[Command] = []
        if slots is None:
            offered += [Choose(seat=seat, contract=contract) for contract in contracts]
        else:
            for slot in slots.free_slots(context, seat):
                offered += [Choose(seat=seat, contract=c, slot=slot) for c in slots.contracts[slot]]
        if may_push(context):
            offered.append(Push(seat=seat))
        return offered

    return Phase(
        "contract_choice",
        lambda context: context.state.contract is None and context.state.chooser is None,
        lambda context: Turn(
            seat_of(context), "contract_choice", ("choose", "push") if may_push(context) else ("choose",)
        ),
        on(Push, push) | on(Choose, choose),
        offers,
        audit_run=audit_run,
        contracts=contracts,
    )
