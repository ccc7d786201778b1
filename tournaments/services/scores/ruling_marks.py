"""Marks of rulings at the sheets, tables, rankings and exports that they have affected."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from tournaments import dispute_states
from tournaments.models import Championship, Dispute


class Mark(NamedTuple):
    """The mark of a dispute with a ruling in force or an open appeal.

    `dispute`: primary key; `round`, `table`, `deal`, `ruling`: numbers. `ruling`: None if the dispute was
    settled orally; `deal`: None if it concerns the whole game.
    """

    dispute: int
    round: int
    table: int
    deal: int | None
    ruling: int | None
    status: str

    @property
    def provisional(self) -> bool:
        return self.status == dispute_states.APPEALED


COUNTS_FOR: Final = Coalesce("table__seatings__entry__merged_into__number", "table__seatings__entry__number")
"""The entry number under which a seated person is ranked."""

Marks = dict[tuple[int, int], tuple[Mark, ...]]
"""(number of the round, number of the entry) → marks."""


def load_entry_marks(championship: Championship, numbers: Iterable[int] | None = None) -> Marks:
    """Return (round, entry number) → marks of the table at which the entry sat. `numbers`: only of these
    entries. One query.
    """
    found = _marked_disputes().filter(table__round__championship=championship, table__undone=None)
    found = found.annotate(counts_for=COUNTS_FOR)
    if numbers is not None:
        found = found.filter(counts_for__in=list(numbers))
    marks: dict[tuple[int, int], list[Mark]] = {}
    for number, dispute, round_, table, deal, ruling, status in found.order_by("pk").values_list(
        "counts_for",
        "pk",
        "table__round__number",
        "table__number",
        "deal",
        "ruling_number",
        "status",
    ):
        mark = Mark(dispute, round_, table, deal, ruling, status)
        marks.setdefault((round_, number), []).append(mark)
    return {key: tuple(each) for key, each in marks.items()}


def load_game_marks(game_id: str) -> list[Mark]:
    """Load the marks of one game, oldest first. One query."""
    rows = (
        _marked_disputes()
        .filter(table__game=game_id)
        .order_by("pk")
        .values_list("pk", "table__round__number", "table__number", "deal", "ruling_number", "status")
    )
    return [Mark(*row) for row in rows]


def _marked_disputes() -> QuerySet[Dispute]:
    """Return the disputes with a ruling, and those settled orally with an open appeal. Delayed tables are
    left out.
    """
    settled = Dispute.objects.filter(dispute_states.public_filter(), status__in=dispute_states.RULED_ON)
    return settled.exclude(ruling_number=None, status__in=[dispute_states.RULED, dispute_states.UPHELD])
