"""All printable documents of a championship, in the order of their use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from frontend.prints.awards import call_list, certificates, prize_list
from frontend.prints.checkin import checkin
from frontend.prints.door_list import door_list
from frontend.prints.house_rules import house_rules
from frontend.prints.my_rounds import my_rounds
from frontend.prints.occasion import Occasion
from frontend.prints.own_sheets import blank_own_sheets, own_sheets
from frontend.prints.ranking_sheet import sealed_ranking
from frontend.prints.receipts import receipts
from frontend.prints.seating_wall import wall_by_name, wall_by_table
from frontend.prints.slips import slips
from frontend.prints.table_code_cards import numbered_cards
from frontend.prints.table_sheets import blank_table_sheets, table_sheets
from frontend.prints.team_ranking_sheet import sealed_team_ranking
from frontend.prints.typesetting import Part


@dataclass(frozen=True, slots=True)
class Document:
    """A printable document of a championship. `key`: part of URLs and file names. `parts`: functions that
    collect its data. `action`: of `tournaments.permissions`, required to print it; None: everybody who sees
    the championship may. `needs`: what must exist first: `people`, a `draw`, several drawn `rounds`, a
    `ranking`, a ranking of `teams`, `prizes` with a ranking, `payments`, or nothing. `of_round`: it is about
    one round. `of_people`: it has a record for each person. `alone`: it is left out of the print of all
    documents. `papers`: its possible formats.
    """

    key: str
    label: str | Promise
    about: str | Promise
    parts: tuple[Callable[[Occasion], Part], ...]
    action: str | None = None
    needs: str = ""
    of_round: bool = False
    of_people: bool = False
    alone: bool = False
    papers: tuple[str, ...] = ("a4", "a5")


DOCUMENTS: Final = {
    document.key: document
    for document in (
        Document(
            "check-in",
            _("Check-in list"),
            _("Everybody by name, to tick arrivals and payments."),
            (checkin,),
            action="enter",
            needs="people",
        ),
        Document(
            "door-list",
            _("List for the door"),
            _("Everybody by name with their payment; the waiting list in its order below."),
            (door_list,),
            action="enter",
            needs="people",
        ),
        Document(
            "own-sheets",
            _("Score cards"),
            _("One for each person, or each fixed pair, to carry from table to table; two on A4, one on A5."),
            (own_sheets,),
            action="enter",
            of_people=True,
            needs="people",
        ),
        Document(
            "blank-sheets",
            _("Blank score cards"),
            _("Score cards and table sheets without names, for late arrivals."),
            (blank_own_sheets, blank_table_sheets),
            action="enter",
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
            _("The sheet of a table, with the fields of this game; blank before the draw."),
            (table_sheets,),
            action="enter",
            needs="people",
            of_round=True,
        ),
        Document(
            "wall",
            _("Seating for the wall"),
            _("By name and by table; byes are on top."),
            (wall_by_name, wall_by_table),
            needs="draw",
            of_round=True,
        ),
        Document(
            "slips",
            _("Seat slips"),
            _("Table, chair and the others at the table of each person: twelve on A4, to cut."),
            (slips,),
            action="enter",
            of_people=True,
            needs="draw",
            of_round=True,
        ),
        Document(
            "my-rounds",
            _("My rounds"),
            _("All rounds of a person or pair on one slip: table, chair, partner and opponents; to cut."),
            (my_rounds,),
            action="enter",
            of_people=True,
            needs="rounds",
        ),
        Document(
            "ranking",
            _("Ranking"),
            _("As last published, with the seal; sixty people on a page of A4."),
            (sealed_ranking,),
            needs="ranking",
        ),
        Document(
            "team-ranking",
            _("Ranking of teams"),
            _("As last published, with the members and the seal."),
            (sealed_team_ranking,),
            needs="teams",
        ),
        Document(
            "prize-list",
            _("Prize list"),
            _("The prizes with their winners, and space for a signature."),
            (prize_list,),
            action="enter",
            needs="ranking",
        ),
        Document(
            "order-of-giving",
            _("Award order"),
            _("The order of the calls, as on the projector; prizes to choose from are below."),
            (call_list,),
            action="enter",
            needs="prizes",
        ),
        Document(
            "certificates",
            _("Certificates"),
            _("For the first three places and special prizes, to sign."),
            (certificates,),
            action="enter",
            needs="ranking",
        ),
        Document(
            "receipts",
            _("Receipts"),
            _("For every payment in the book: eight on A4, to cut and to sign."),
            (receipts,),
            action="cash",
            needs="payments",
            of_people=True,
            alone=True,
        ),
        Document(
            "regulations",
            _("Regulations"),
            _("The regulations as numbered articles, to hang up and to sign."),
            (house_rules,),
        ),
    )
}


def document_title(key: str) -> str:
    """Return the title of the document with this key; for any other key the title of the print of all
    documents.
    """
    return str(DOCUMENTS[key].label) if key in DOCUMENTS else gettext("Whole evening")
