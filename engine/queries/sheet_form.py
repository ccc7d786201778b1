"""Form of a score sheet: the fields that a game takes for a deal."""

from engine.ledger.state import State
from engine.registry import table_of
from engine.rules.sheet_fields import SheetField
from engine.sheets.sheet_checks import fields_of


def sheet_fields(state: State, deal: int | None = None) -> list[SheetField]:
    """Return the fields of `enter_result` for a deal (default: the next one), in the order of a form.

    The game must have started. The fields may depend on earlier deals.
    """
    table = table_of(state)
    number = len(state.results) + 1 if deal is None else deal
    return list(fields_of(table, table.rules.sheet(table, number)))
