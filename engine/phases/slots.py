"""Slots: every side plays each of them once; the choice goes from seat to seat until one is named."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.commands import Choose
from engine.contracts import Contract
from engine.errors import IllegalCommand
from engine.infractions.faults import Faults
from engine.rules import Table, from_forehand
from engine.rules.sheet_fields import SheetField
from engine.scoring.remedies import deals_of, is_annulled


class Slots(NamedTuple):
    """The `contracts` that may be played in each slot. A contract that is named without a slot takes the slot
    that has fewest contracts."""

    contracts: Mapping[str, tuple[Contract, ...]]

    def left(self, table: Table, seat: int, deal: int = 0) -> list[str]:
        """The slots that the side of a seat has not played in other deals; a slot of an annulled deal is
        played again."""
        state = table.state
        sides = table.rules.sides_of(state)
        played = [
            record.slot
            for record in deals_of(state)
            if record.chooser is not None
            and sides[record.chooser] == sides[seat]
            and record.deal != deal
            and not is_annulled(state, record.deal)
        ]
        if len(played) >= len(self.contracts):
            return []  # one of them may have been any slot
        return [slot for slot in self.contracts if slot not in played]

    def _seats(self, table: Table) -> list[int]:
        """Who has slots left, from forehand on."""
        return [seat for seat in from_forehand(table.state) if self.left(table, seat)]

    def seat_of(self, table: Table) -> int:
        """Who chooses: the first one has the duty when it comes back to him."""
        seats = self._seats(table)
        return seats[len(table.state.pushed) % len(seats)]

    def may_push(self, table: Table) -> bool:
        """Whether there is another one who can choose, and it has not come back yet."""
        seats = self._seats(table)
        return len(seats) > 1 and len(table.state.pushed) < len(seats)

    def of(self, table: Table, command: Choose, faults: Faults) -> str | None:
        """The slot that a choice takes; None where a transcript does not know it."""
        state = table.state
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
        left = self.left(table, command.seat)
        if slot not in left and slot != state.slot:
            what = f"{slot} has been played; left: {', '.join(left)}"
            faults.found(IllegalCommand("choose/slot_played", what, slot=slot, left=left))
        return slot

    def field(self, table: Table, deal: int) -> SheetField:
        """The slot of a deal on a score sheet, of those that each seat may still choose."""
        left = tuple(tuple(self.left(table, seat, deal)) for seat in range(table.state.seats))
        return SheetField("slot", "slot", "Slot", required=True, choices=tuple(self.contracts), open_to=left)
