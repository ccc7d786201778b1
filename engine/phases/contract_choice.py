"""Phase `contract_choice`: a seat names the contract, or pushes where it may; some games choose from
slots."""

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
from engine.rules import Draft, Phase, Table, Turn, forehand, on


def forehand_or_partner(table: Table) -> int:
    """Forehand, or his partner when he has pushed."""
    state = table.state
    first = forehand(state)
    return (first + 2) % state.seats if state.pushed else first


def declarer(table: Table) -> int:
    """Who won the auction."""
    return table.state.declarer or 0


def once(table: Table) -> bool:
    """Nobody has pushed yet."""
    return not table.state.pushed


def never(table: Table) -> bool:
    """There is nobody to push to."""
    return False


def _take_up(state: State, draft: Draft) -> None:
    for seat in state.face_down:
        draft.take(HandTakenUp(seq=draft.seq, seat=seat, cards=codes(state.hands[seat])))


def contract_choice(
    contracts: tuple[Contract, ...],
    seat_of: Callable[[Table], int] = forehand_or_partner,
    may_push: Callable[[Table], bool] = once,
    slots: Slots | None = None,
) -> Phase:
    """The phase. `contracts` may be named by `seat_of(table)`, who may hand the choice on where
    `may_push(table)`."""

    def push(table: Table, command: Push) -> list[Event]:
        state = table.state
        faults = Faults(state, command.seat)
        faults.turn("push", seat_of(table))
        if not may_push(table):
            what = "a contract must be named now"
            faults.found(IllegalCommand("push/must_choose", what, seat=command.seat))
        draft = Draft(table)
        draft.take(Pushed(seq=draft.seq, seat=command.seat))
        faults.mark(draft)
        _take_up(state, draft)
        return draft.events

    def may_have_chosen(table: Table) -> Sequence[int]:
        """Whose choice it is. Where cards lie already, nobody may have written down who pushed, and where it
        is not known who won the auction, anybody may have."""
        state = table.state
        if state.chooser is not None:
            return (state.chooser,)
        if seat_of is declarer and state.won_in != state.deal:
            return range(state.seats)
        found, draft = [seat_of(table)], Draft(table)
        while (state.trick or state.tricks) and may_push(draft.table):
            draft.take(Pushed(seq=draft.seq, seat=found[-1]))
            found.append(seat_of(draft.table))
        return found

    def choose(table: Table, command: Choose) -> list[Event]:
        state = table.state
        faults = Faults(state, command.seat, trick=1)
        seats = may_have_chosen(table)
        faults.turn("choose", command.seat if command.seat in seats else seats[0])
        if command.contract is None and (state.mode != "transcribed" or not command.slot):
            raise IllegalCommand("choose/contract_missing", "the contract must be named")
        if command.contract not in (None, state.contract, *contracts):
            faults.found(
                IllegalCommand(
                    "choose/contract_not_offered",
                    f"{command.contract} is not played here",
                    contract=command.contract,
                    offered=list(contracts),
                )
            )
        if slots is None and command.slot:
            raise IllegalCommand("choose/no_slots", "this game has no slots", slot=command.slot)
        slot = None if slots is None else slots.of(table, command, faults)
        draft = Draft(table)
        contract = command.contract
        if contract is None and slots is not None and slot is not None and len(slots.contracts[slot]) == 1:
            (contract,) = slots.contracts[slot]
        draft.take(ContractSet(seq=draft.seq, contract=contract, seat=command.seat, slot=slot))
        faults.mark(draft)
        _take_up(state, draft)
        return draft.events

    def audit_run(table: Table, log: Sequence[Event], at: int) -> int:
        """Follow a contract that is named in turn, where there are no slots and every hand is taken up."""
        state = table.state
        event = log[at]
        if type(event) is not ContractSet or event.seq != at or event.seat != seat_of(table):
            return 0
        if event.contract not in contracts or event.slot is not None or slots is not None or state.face_down:
            return 0
        evolve(state, event)
        return 1

    def offers(table: Table) -> list[Command]:
        seat = seat_of(table)
        offered: list[Command] = []
        if slots is None:
            offered += [Choose(seat=seat, contract=contract) for contract in contracts]
        else:
            for slot in slots.left(table, seat):
                offered += [Choose(seat=seat, contract=c, slot=slot) for c in slots.contracts[slot]]
        if may_push(table):
            offered.append(Push(seat=seat))
        return offered

    return Phase(
        "contract_choice",
        lambda table: table.state.contract is None and table.state.chooser is None,
        lambda table: Turn(
            seat_of(table), "contract_choice", ("choose", "push") if may_push(table) else ("choose",)
        ),
        on(Push, push) | on(Choose, choose),
        offers,
        audit_run=audit_run,
        contracts=contracts,
    )
