"""Phase `contract_choice`: forehand names a contract or pushes to the partner, who must name one."""

from engine.cards import codes
from engine.commands import Choose, Command, Push
from engine.contracts import Contract
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import ContractSet, Event, HandTakenUp, Pushed
from engine.rules import Phase, Turn, check_turn, forehand
from engine.state import State


def _seat(state: State) -> int:
    first = forehand(state)
    return (first + 2) % state.seats if state.pushed else first


def _take_up(state: State, draft: Draft) -> None:
    for seat in state.face_down:
        draft.emit(HandTakenUp, seat=seat, cards=codes(state.hands[seat]))


def contract_choice(contracts: tuple[Contract, ...]) -> Phase:
    """The phase, for partners; `contracts` are the codes that may be named."""

    def push(state: State, command: Push) -> list[Event]:
        check_turn("push", command.seat, _seat(state))
        if state.pushed:
            raise IllegalCommand("push/must_choose", "pushed to: a contract must be named", seat=command.seat)
        draft = Draft(state)
        draft.emit(Pushed, seat=command.seat)
        _take_up(state, draft)
        return draft.events

    def choose(state: State, command: Choose) -> list[Event]:
        check_turn("choose", command.seat, _seat(state))
        if command.contract not in contracts:
            raise IllegalCommand(
                "choose/contract_not_offered",
                f"{command.contract} is not played here",
                contract=command.contract,
                offered=list(contracts),
            )
        if command.slot is not None:
            raise IllegalCommand("choose/no_slots", "this game has no slots", slot=command.slot)
        draft = Draft(state)
        draft.emit(ContractSet, contract=command.contract, seat=command.seat)
        _take_up(state, draft)
        return draft.events

    def offers(state: State) -> list[Command]:
        seat = _seat(state)
        chosen: list[Command] = [Choose(seat=seat, contract=contract) for contract in contracts]
        return chosen if state.pushed else [*chosen, Push(seat=seat)]

    return Phase(
        "contract_choice",
        lambda state: state.contract is None,
        lambda state: Turn(
            _seat(state), "contract_choice", ("choose",) if state.pushed else ("choose", "push")
        ),
        {Push: push, Choose: choose},
        offers,
    )
