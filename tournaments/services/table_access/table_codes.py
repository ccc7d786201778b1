"""Permanent table codes: six characters to type, or these characters with a suffix in the QR code.

The code is derived from a random number in the row and from SECRET_KEY. Therefore a card can be printed again
at any time, and a copy of the database is not enough to get in. Six of 24 characters are 27 bits, so attempts
are limited (`tournaments.services.table_access.code_attempts`). The suffix adds 100 bits, so a scan is never
throttled.
"""

import secrets
from collections.abc import Iterable
from typing import Final, NamedTuple

from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game, TableToken
from games.rights import tokens
from tournaments.errors import TournamentError
from tournaments.events import TableCodesMade
from tournaments.models import Championship, Table, TableCode, TablePhone
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.people.entry_persons import count_people

SIGNS: Final = "ACDEFGHJKMNPQRTVWXY34679"
"""Characters of codes. All are unambiguous in print and handwriting: no 0 O, 1 I L, 2 Z, 5 S, 8 B, U."""
TYPED: Final = 6
SCANNED: Final = TYPED + 22
MAX_TABLES: Final = 1000
_SALT: Final = "puur.table-code"


class TableCard(NamedTuple):
    """The card of a table. `code`: the code to type; `scanned`: the full code, the fragment of the URL in the
    QR code.
    """

    number: int
    code: str
    scanned: str

    @property
    def grouped(self) -> str:
        """The code to type in two groups of three, as it is printed."""
        return f"{self.code[:3]} {self.code[3:]}"


def compute_code_digest(code: str) -> str:
    """Return the digest by which a typed code is found in the database. It depends on SECRET_KEY."""
    return salted_hmac(f"{_SALT}.digest", code, algorithm="sha256").hexdigest()


def derive_code(row: TableCode) -> str:
    """Derive the full code of a row; its first six characters are the typed code."""
    number = int.from_bytes(salted_hmac(_SALT, row.nonce, algorithm="sha256").digest())
    signs = []
    for _at in range(SCANNED):
        number, sign = divmod(number, len(SIGNS))
        signs.append(SIGNS[sign])
    return "".join(signs)


def list_live_codes(championship: Championship) -> list[TableCode]:
    """List the codes that have not ended, by number."""
    return list(championship.table_codes.filter(ended_at=None).order_by("number"))


def list_cards(championship: Championship) -> list[TableCard]:
    """Build the cards of all tables with a valid code. A code made under another SECRET_KEY is invalid and
    left out.
    """
    cards = ((row, derive_code(row)) for row in list_live_codes(championship))
    return [
        TableCard(row.number, scanned[:TYPED], scanned)
        for row, scanned in cards
        if compute_code_digest(scanned[:TYPED]) == row.digest
    ]


def count_tables_needed(championship: Championship, seats: int) -> int:
    """Return the highest number of a table drawn so far or, if it is larger, the number of tables of `seats`
    seats that the entries need.
    """
    drawn = Table.objects.filter(round__championship=championship).aggregate(most=Max("number"))["most"] or 0
    entered = count_people(championship.entries.filter(house=False))
    return max(drawn, -(-entered // seats))


def make_codes(championship: Championship, tables: int, *, actor: Actor) -> list[int]:
    """Create codes for those of the tables 1 to `tables` that have no valid code; return their numbers.

    Raises TournamentError `codes/table_count`.
    """
    if not 1 <= tables <= MAX_TABLES:
        sentence = _("Codes are made for 1 to %(most)s tables.")
        raise TournamentError("codes/table_count", sentence, most=MAX_TABLES)
    with locks.for_official(championship, actor, "enter") as (_locked, ref):
        good = {card.number for card in list_cards(championship)}
        missing = [number for number in range(1, tables + 1) if number not in good]
        _replace(championship, missing, ref)
    return missing


def renew_codes(championship: Championship, numbers: Iterable[int], *, actor: Actor) -> list[int]:
    """Replace the codes of these tables at once. Phones that the old codes have admitted lose access.

    Return the numbers of the tables. Raises TournamentError `codes/no_code` for a table without a code.
    """
    with locks.for_official(championship, actor, "enter") as (_locked, ref):
        known = {row.number for row in list_live_codes(championship)}
        wanted = sorted(set(numbers))
        unknown = [number for number in wanted if number not in known]
        if unknown:
            sentence = _("Table %(table)s has no code.")
            raise TournamentError("codes/no_code", sentence, table=unknown[0])
        _replace(championship, wanted, ref)
    return wanted


def _replace(championship: Championship, numbers: list[int], ref: str) -> None:
    if not numbers:
        return
    _end_codes(
        TableCode.objects.filter(championship=championship, number__in=numbers, ended_at=None).order_by("pk")
    )
    TableCode.objects.bulk_create([_build_row(championship, number) for number in numbers])
    record(championship.stream_id, TableCodesMade(tables=tuple(numbers)), actor=ref)


def _end_codes(codes: QuerySet[TableCode]) -> None:
    """End the codes and the access of their phones.

    The rows are locked first. A phone that chooses a side at the same time does so before, or finds the code
    ended.
    """
    pks = list(codes.select_for_update(no_key=True).values_list("pk", flat=True))
    TableCode.objects.filter(pk__in=pks).update(ended_at=timezone.now())
    refs = list(TablePhone.objects.filter(code__in=pks).values_list("ref", flat=True))
    let_in = TableToken.objects.filter(ref__in=refs, revoked_at=None)
    games = list(let_in.order_by().values_list("game", flat=True).distinct())
    if games:
        tokens.revoke_tokens(games, Q(ref__in=refs))


def _build_row(championship: Championship, number: int) -> TableCode:
    """Build a row whose typed code is unique in this installation."""
    while True:
        row = TableCode(championship=championship, number=number, nonce=secrets.token_hex(16))
        row.digest = compute_code_digest(derive_code(row)[:TYPED])
        if not TableCode.objects.filter(digest=row.digest).exists():
            return row


def find_open_table(code: TableCode) -> Table | None:
    """Return the table with the code's number, with its game, in the newest open round that has it; None
    without one.
    """
    tables = Table.objects.filter(
        round__championship=code.championship_id, round__status="open", number=code.number, game__isnull=False
    )
    return tables.select_related("game", "round__championship").order_by("-round__number").first()


def takes_codes(table: Table) -> bool:
    """Return whether table codes apply at the table. Where cards are dealt online, each seat has a code of
    its own instead.
    """
    return table.mode != Game.Mode.DEALT
