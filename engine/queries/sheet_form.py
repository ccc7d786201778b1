"""Form of a score sheet: the fields that a game takes for a deal."""

from engine.ledger.state import State
from engine.registry import build_game_context
from engine.rules.sheet_fields import SheetField
from engine.sheets.sheet_checks import list_fields


def list_sheet_fields(state: State, deal: int | None = None) -> list[SheetField]:
    """Return the fields of `enter_result` for a deal (default: the next deal), in the order of a form.

    The game must have started. The fields may depend on earlier deals.
    """
    context = build_game_context(state)
    number = len(state.results) + 1 if deal is None else deal
    return list(list_fields(context, context.rules.sheet(context, number)))
