"""The permanent codes of tables for the desk: the printed card with the code, and the phones connected by
it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from frontend.presenters.tables.codes import render_qr_code
from games.models import Game, TableToken
from tournaments.models import Championship, Seating, TablePhone
from tournaments.services.entries.seat_codes import seats_of_place
from tournaments.services.table_access import table_codes
from tournaments.services.table_access.table_codes import TableCard

CARDS_PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class PhoneLine:
    """One phone: the time when it was connected, the name of its account (empty without one), and the sides
    for which it has written, by round.
    """

    came_at: datetime
    user: str
    writes_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardLine:
    number: int
    code: str
    phones: tuple[PhoneLine, ...]


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """The printed card of a table with its code. `address`: URL to type; `picture`: QR code. Both are None if
    phones cannot reach this machine.
    """

    number: int
    code: str
    address: str | None
    picture: SafeString | None


def card_lines(championship: Championship, cards: Sequence[TableCard]) -> list[CardLine]:
    """Return the cards with the phones connected by them. Three queries for any number of cards."""
    found = TablePhone.objects.filter(code__championship=championship, code__ended_at=None)
    phones = list(
        found.filter(code__number__in=[card.number for card in cards]).select_related("code", "user")
    )
    writing = _load_written_sides([phone.ref for phone in phones])
    by_table: dict[int, list[PhoneLine]] = {}
    for phone in phones:
        name = phone.user.display_name if phone.user else ""
        line = PhoneLine(phone.came_at, name, tuple(writing.get(phone.ref, ())))
        by_table.setdefault(phone.code.number, []).append(line)
    return [CardLine(card.number, card.grouped, tuple(by_table.get(card.number, ()))) for card in cards]


def printed_card(card: TableCard, address: str | None) -> PrintedCard:
    """Return the printed card of a table. `address`: URL of this installation as phones reach it; None if
    they cannot.
    """
    door = reverse("open_table")
    picture = render_qr_code(f"{address}{door}#{card.scanned}") if address else None
    return PrintedCard(card.number, card.grouped, f"{address}{door}" if address else None, picture)


def _load_written_sides(refs: Sequence[str]) -> dict[str, list[str]]:
    """Return phone's reference → a text with round and people for each side that it has written for."""
    tokens = TableToken.objects.filter(ref__in=refs).select_related("game").order_by("created_at", "pk")
    rows = list(tokens)
    people: dict[str, list[Seating]] = {}
    seatings = Seating.objects.filter(table__game__in={row.game_id for row in rows})
    for seating in seatings.select_related("entry", "table", "round").order_by("seat"):
        people.setdefault(str(seating.table.game_id), []).append(seating)
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row.ref, []).append(_side_text(row.game, row, people.get(row.game_id, ())))
    return found


def _side_text(game: Game, row: TableToken, people: Iterable[Seating]) -> str:
    here = list(people)
    chairs = seats_of_place(game, row.role, row.seat)
    names = " + ".join(one.entry.name for one in here if one.seat in chairs) or _("Scorer")
    return _("round %(round)s: %(names)s") % {"round": here[0].round.number if here else "–", "names": names}


def cards_found(championship: Championship, query: str = "") -> list[TableCard]:
    """Return the cards whose table number begins with `query`; all cards if it is empty."""
    return [card for card in table_codes.list_cards(championship) if str(card.number).startswith(query)]
