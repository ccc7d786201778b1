"""Slots: a side plays each slot once. The choice moves from seat to seat until one names a contract."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.commands import Choose
from engine.contracts import Contract
from engine.errors import IllegalCommand
from engine.infractions.faults import Faults
from engine.rules import GameContext, from_forehand
from engine.rules.sheet_fields import SheetField
from engine.scoring.ruling_effects import is_annulled, list_deals


class Slots(NamedTuple):
    """The contracts of each slot, by the slot's name. A contract named without a slot takes the slot that
    allows it and has the fewest contracts.
    """

    contracts: Mapping[str, tuple[Contract, ...]]

    def free_slots(self, context: GameContext, seat: int, deal: int = 0) -> list[str]:
        """Return the slots that a seat's side has not played in deals other than `deal`. Slots of annulled
        deals are free again.
        """
        state = context.state
        sides = context.rules.sides_of(state)
        played = [
            record.slot
            for record in list_deals(state)
            if record.chooser is not None
            and sides[record.chooser] == sides[seat]
            and record.deal != deal
            and not is_annulled(state, record.deal)
        ]
        if len(played) >= len(self.contracts):
            return []  # all are played, even if a slot is not known
        return [slot for slot in self.contracts if slot not in played]

    def _choosing_seats(self, context: GameContext) -> list[int]:
        """Return the seats whose side has free slots, in the order of play from forehand."""
        return [seat for seat in from_forehand(context.state) if self.free_slots(context, seat)]

    def find_chooser(self, context: GameContext) -> int:
        """Return the seat that chooses now. When all seats with free slots have pushed, the first chooses."""
        seats = self._choosing_seats(context)
        return seats[len(context.state.pushed) % len(seats)]

    def may_push(self, context: GameContext) -> bool:
        """Return whether there is another seat to push to and not every seat has pushed."""
        seats = self._choosing_seats(context)
        return len(seats) > 1 and len(context.state.pushed) < len(seats)

    def resolve(self, context: GameContext, command: Choose, faults: Faults) -> str | None:
        """Return the slot of a choice; None if a transcript does not tell it. Raises IllegalCommand, or adds
        a fault, for a slot that cannot be chosen.
        """
        state = context.state
        named = command.contract
        if state.mode == "transcribed" and command.slot is None and named is not None:
            return None
        takes = [slot for slot, contracts in self.contracts.items() if named in (None, *contracts)]
        slot = command.slot or min(takes, key=lambda name: len(self.contracts[name]))
        if slot not in takes:
            raise IllegalCommand(
                "choose/wrong_slot",
                f"{command.contract} is not played in the slot {slot}",
                contract=command.contract,
                slot=slot,
            )
        left = self.free_slots(context, command.seat)
        if slot not in left and slot != state.slot:
            what = f"{slot} has been played; left: {', '.join(left)}"
            faults.add(IllegalCommand("choose/slot_played", what, slot=slot, left=left))
        return slot

    def field(self, context: GameContext, deal: int) -> SheetField:
        """Return the field of a sheet for the slot, limited to the free slots of each seat."""
        left = tuple(tuple(self.free_slots(context, seat, deal)) for seat in range(context.state.seats))
        return SheetField("slot", "slot", "Slot", required=True, choices=tuple(self.contracts), open_to=left)
