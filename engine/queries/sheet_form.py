"""The form of a score sheet: the fields that a game takes for a deal, for pages and whoever writes one."""

from engine.ledger.state import State
from engine.registry import table_of
from engine.rules.sheet_fields import SheetField
from engine.sheets.sheet_checks import fields_of


def sheet_fields(state: State, deal: int | None = None) -> list[SheetField]:
    """The fields that `enter_result` takes for a deal (default: for the one that comes next), in the order of
    a form. `state` is that of a game begun; what the fields are may depend on the deals before."""
    table = table_of(state)
    number = len(state.results) + 1 if deal is None else deal
    return list(fields_of(table, table.rules.sheet(table, number)))
