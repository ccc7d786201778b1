"""All that can be printed of a championship, in the order in which an evening needs it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from frontend.prints.awards import certificates, prize_list
from frontend.prints.checkin import checkin
from frontend.prints.house_rules import house_rules
from frontend.prints.occasion import Occasion
from frontend.prints.own_sheets import own_sheets
from frontend.prints.ranking import sealed_ranking
from frontend.prints.seats import slips, wall_by_name, wall_by_table
from frontend.prints.table_cards import numbered_cards
from frontend.prints.table_sheets import table_sheets
from frontend.prints.typesetting import Part


@dataclass(frozen=True, slots=True)
class Document:
    """`key`: in addresses and the name of its file. `action`: of `tournaments.permissions`, whose offices may
    have it; None: whoever sees the championship. `needs`: what there has to be before it can be made:
    `people`, a `draw`, a `ranking`, or nothing. `of_people`: as many records as people, else as tables.
    """

    key: str
    label: str | Promise
    about: str | Promise
    parts: tuple[Callable[[Occasion], Part], ...]
    action: str | None = None
    needs: str = ""
    of_round: bool = False
    papers: tuple[str, ...] = ("a4", "a5")


DOCUMENTS: Final = {
    document.key: document
    for document in (
        Document(
            "check-in",
            _("Check-in list"),
            _("Everybody by name, to tick who is here and who has paid."),
            (checkin,),
            action="enter",
            needs="people",
        ),
        Document(
            "own-sheets",
            _("Score cards"),
            _("One for each person to carry from table to table; two on A4, one on A5."),
            (own_sheets,),
            action="enter",
            needs="people",
        ),
        Document(
            "table-cards",
            _("Table cards"),
            _("The number of each table: A4 to fold and stand up, A5 to lay down."),
            (numbered_cards,),
            action="enter",
            needs="people",
        ),
        Document(
            "table-sheets",
            _("Table sheets"),
            _("What a table writes in a round, with the fields of this game; blank before the draw."),
            (table_sheets,),
            action="enter",
            needs="people",
            of_round=True,
        ),
        Document(
            "wall",
            _("Seating for the wall"),
            _("By name and by table, partners beside each other; who sits out stands on top."),
            (wall_by_name, wall_by_table),
            needs="draw",
            of_round=True,
        ),
        Document(
            "slips",
            _("Seat slips"),
            _("Table, chair, partner and opponents of each person: twelve on A4, to cut."),
            (slips,),
            action="enter",
            needs="draw",
            of_round=True,
        ),
        Document(
            "ranking",
            _("Ranking"),
            _("As published last, with the seal; sixty people on a page of A4."),
            (sealed_ranking,),
            needs="ranking",
        ),
        Document(
            "prize-list",
            _("Prize list"),
            _("A line for each place, with room for its prize and a signature."),
            (prize_list,),
            action="enter",
            needs="ranking",
        ),
        Document(
            "certificates",
            _("Certificates"),
            _("For the first three places, to sign."),
            (certificates,),
            action="enter",
            needs="ranking",
        ),
        Document(
            "regulations",
            _("Regulations"),
            _("The house's own, as numbered articles, to hang up and to sign."),
            (house_rules,),
        ),
    )
}
