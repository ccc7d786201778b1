"""Slips with hands for tables that deal the same cards by hand: a slip for each seat, deal and table.

A person who does not play folds each slip and gives it to its seat.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.card_names import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from frontend.presenters.rounds.round_names import round_name
from frontend.presenters.tables.tables import seat_mark
from frontend.prints.typesetting import Part
from tournaments.models import Round, Table
from tournaments.services.draw.printed_hands import PrintedDeal


def hand_slips(
    round_: Round, tables: Sequence[Table], deals: Sequence[PrintedDeal], deck: str, *, chips: int
) -> Part:
    """Return the slips of a round, table by table, so that the slips of a table can be cut and laid on it as
    a pile. `chips`: as for `seat_mark`.
    """
    slips = [
        {
            "table": table.number,
            "deal": one.deal,
            "chair": seat_mark(table.number, seat, chips=chips),
            "dealer": one.dealer == seat,
            "lines": hand_lines(hand, deck),
        }
        for table in tables
        for one in deals
        for seat, hand in enumerate(one.hands)
    ]
    return {
        "kind": "hands",
        "paper": "a4",
        "over": f"{round_.championship.name} · " + round_name(round_),
        "table": _("Table"),
        "deal": _("Deal"),
        "chair": _("Chip") if chips else _("Chair"),
        "dealer": pgettext("who has this hand", "deals"),
        "fold": _("fold here, cards inside"),
        "note": _("Take these cards face down from a sorted pack; nobody else reads this slip."),
        "slips": slips,
    }


def hand_lines(hand: Sequence[str], deck: str) -> list[tuple[str, str]]:
    """Return (name of the suit, its cards from the highest down) for each suit; a dash stands for no
    cards.
    """
    return [
        (
            str(SUIT_NAMES[deck][suit]),
            " ".join(str(RANK_NAMES[deck].get(rank, rank)) for rank in reversed(RANKS) if suit + rank in hand)
            or "–",
        )
        for suit in SUITS
    ]
