"""The form of a score sheet: the fields that a game takes for a deal, for pages and whoever writes one."""

from .registry import prepare
from .sheets import SheetField
from .state import State
from .written import fields_of


def sheet_fields(state: State, deal: int | None = None) -> list[SheetField]:
    """The fields that `enter_result` takes for a deal (default: for the one that comes next), in the order of
    a form. `state` is that of a game begun; what the fields are may depend on the deals before."""
    prepare(state)
    number = len(state.results) + 1 if deal is None else deal
    return list(fields_of(state, state.rules.variant.sheet(state, number)))
