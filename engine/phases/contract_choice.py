"""Phase `contract_choice`: a seat names the contract, or pushes where it may; some games choose from
slots."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from engine.cards import codes
from engine.commands import Choose, Command, Push
from engine.contracts import Contract
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import ContractSet, Event, HandTakenUp, Pushed
from engine.rules import Phase, Turn, check_turn, forehand
from engine.state import State


class Slots(NamedTuple):
    """`contracts` that may be played in each slot, and which slots are `left(state, seat)`. A contract that
    is named without a slot takes the slot that has fewest contracts."""

    contracts: Mapping[str, tuple[Contract, ...]]
    left: Callable[[State, int], Collection[str]]


def forehand_or_partner(state: State) -> int:
    """Forehand, or his partner when he has pushed."""
    first = forehand(state)
    return (first + 2) % state.seats if state.pushed else first


def declarer(state: State) -> int:
    """Who won the auction."""
    return state.declarer or 0


def once(state: State) -> bool:
    """Nobody has pushed yet."""
    return not state.pushed


def never(state: State) -> bool:
    """There is nobody to push to."""
    return False


def _take_up(state: State, draft: Draft) -> None:
    for seat in state.face_down:
        draft.emit(HandTakenUp, seat=seat, cards=codes(state.hands[seat]))


def _slot(slots: Slots, state: State, command: Choose) -> str:
    takes = [slot for slot, contracts in slots.contracts.items() if command.contract in contracts]
    slot = command.slot or min(takes, key=lambda name: len(slots.contracts[name]))
    if slot not in takes:
        raise IllegalCommand(
            "choose/wrong_slot",
            f"{command.contract} is not played in the slot {slot}",
            contract=command.contract,
            slot=slot,
        )
    left = slots.left(state, command.seat)
    if slot not in left:
        raise IllegalCommand(
            "choose/slot_played",
            f"{slot} has been played; left: {', '.join(left)}",
            slot=slot,
            left=list(left),
        )
    return slot


def contract_choice(
    contracts: tuple[Contract, ...],
    seat_of: Callable[[State], int] = forehand_or_partner,
    may_push: Callable[[State], bool] = once,
    slots: Slots | None = None,
) -> Phase:
    """The phase. `contracts` may be named by `seat_of(state)`, who may hand the choice on where
    `may_push(state)`."""

    def push(state: State, command: Push) -> list[Event]:
        check_turn("push", command.seat, seat_of(state))
        if not may_push(state):
            raise IllegalCommand("push/must_choose", "a contract must be named now", seat=command.seat)
        draft = Draft(state)
        draft.emit(Pushed, seat=command.seat)
        _take_up(state, draft)
        return draft.events

    def choose(state: State, command: Choose) -> list[Event]:
        check_turn("choose", command.seat, seat_of(state))
        if command.contract not in contracts:
            raise IllegalCommand(
                "choose/contract_not_offered",
                f"{command.contract} is not played here",
                contract=command.contract,
                offered=list(contracts),
            )
        if slots is None and command.slot is not None:
            raise IllegalCommand("choose/no_slots", "this game has no slots", slot=command.slot)
        slot = None if slots is None else _slot(slots, state, command)
        draft = Draft(state)
        draft.emit(ContractSet, contract=command.contract, seat=command.seat, slot=slot)
        _take_up(state, draft)
        return draft.events

    def offers(state: State) -> list[Command]:
        seat = seat_of(state)
        offered: list[Command] = []
        if slots is None:
            offered += [Choose(seat=seat, contract=contract) for contract in contracts]
        else:
            for slot in slots.left(state, seat):
                offered += [Choose(seat=seat, contract=c, slot=slot) for c in slots.contracts[slot]]
        if may_push(state):
            offered.append(Push(seat=seat))
        return offered

    return Phase(
        "contract_choice",
        lambda state: state.contract is None,
        lambda state: Turn(
            seat_of(state), "contract_choice", ("choose", "push") if may_push(state) else ("choose",)
        ),
        {Push: push, Choose: choose},
        offers,
    )
