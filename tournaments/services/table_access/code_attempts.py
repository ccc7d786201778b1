"""Attempts at table codes: finding the table of a typed or scanned code, and limiting wrong codes.

A wrong code costs one attempt of the network, or of the table that has admitted the phone already. A network
beyond its limit is throttled, not blocked: it gets a few more attempts per minute. If wrong codes come from
many networks, networks that have admitted a phone are exempt, and networks with few wrong codes keep some
attempts. A wrong code typed on a championship's page also counts for the general page, but not the reverse.
Admitted phones are affected by attempts of phones of their table only, scanned codes by none (ADR 6).
"""

import hmac
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.messaging.rate_limit import Budget, supernet_of
from tournaments.errors import TournamentError
from tournaments.models import Championship, TableCode, TablePhone
from tournaments.services.table_access.table_codes import (
    SCANNED,
    SIGNS,
    TYPED,
    compute_code_digest,
    derive_code,
)

ANY: Final = ""
"""Key of budgets for attempts that concern no particular championship."""
EVERY: Final = "every"
"""Key of budgets for all championships together."""
WRONG_OF_NETWORK: Final = Budget("table-codes-network", most=120, seconds=600)
"""Wrong codes of a network. They are enough for a hall of 400 people with some typing errors."""
WRONG_OF_SITE: Final = Budget("table-codes-site", most=240, seconds=600)
"""Wrong codes of all 65,536 networks that one IPv6 connection may have, together."""
WRONG_OF_TABLE: Final = Budget("table-codes-table", most=40, seconds=600)
"""Wrong codes of all phones that a table's code has admitted, together."""
SUSPECTED: Final = Budget("table-codes-suspected", most=6, seconds=60)
"""Attempts of a throttled network. Correct codes count too."""
SUSPECTED_SITE: Final = Budget("table-codes-suspected-site", most=12, seconds=60)
WRONG_EVERYWHERE: Final = Budget("table-codes-everywhere", most=1000, seconds=600)
SUSPECTED_EVERYWHERE: Final = Budget("table-codes-suspected-everywhere", most=60, seconds=60)
"""Attempts of all throttled networks together, against an attacker with many networks; by championship if
known.
"""
FIRST_OF_SITE: Final = Budget("table-codes-first", most=5, seconds=600)
"""Attempts that a network keeps while too many wrong codes come from everywhere."""
FIRST_OF_PROVIDER: Final = Budget("table-codes-provider", most=60, seconds=60)
"""Attempts that a whole IPv6 provider keeps at such a time. One of its customers can use any number of
networks.
"""
HALLS: Final = Budget("table-codes-halls", most=1, seconds=6 * 3600)
"""Networks that have admitted a phone. They are exempt from the limit for all networks."""
TOLD_OF: Final = Budget("table-codes-told", most=150, seconds=600)
"""Wrong codes after which officials are notified; by championship if known."""


def check_code(
    typed: str, network: str, known: TablePhone | None, of: Championship | None = None
) -> TableCode:
    """Return the row of a typed or scanned code, and count wrong codes.

    `known`: the phone, if it was admitted before; `of`: the championship of the page, None on a general page.
    Raises TournamentError `codes/no_such_sign`, `codes/unknown`, `codes/too_many_tries`.
    """
    is_scanned = len(typed) == SCANNED
    found = (
        _check_scanned_code(typed, network) if is_scanned else _check_typed_code(typed, network, known, of)
    )
    HALLS.spend(network)
    return found


def are_codes_guessed(championship: Championship | None = None) -> bool:
    """Return whether there are more wrong codes than typing errors explain.

    championship: count only codes typed on its pages, and codes that concern no championship; None: all.
    """
    places = (EVERY,) if championship is None else (championship.pk, ANY)
    return any(TOLD_OF.wait(where) for where in places)


def make_too_many_error(seconds: int) -> TournamentError:
    sentence = _(
        "Too many wrong codes came from here. Scan the card on the table, or try again in %(seconds)s s."
    )
    return TournamentError("codes/too_many_tries", sentence, seconds=seconds)


def make_unknown_code_error() -> TournamentError:
    return TournamentError(
        "codes/unknown",
        _("No table has this code. Compare each character with the card on the table, or ask the desk."),
    )


def _check_typed_code(
    typed: str, network: str, known: TablePhone | None, of: Championship | None
) -> TableCode:
    if len(typed) != TYPED or any(sign not in SIGNS for sign in typed):
        # A malformed code cannot be right, so it does not count as an attempt.
        sentence = _("A table's code has six characters. It contains no 0 O, 1 I L, 2 Z, 5 S, 8 B or U.")
        raise TournamentError("codes/no_such_sign", sentence)
    where: object = ANY if of is None else of.pk
    counted = _charge_attempt(network, known, where)
    code_row = _find_code(typed)
    if known is None and of is not None and (code_row is None or code_row.championship_id != of.pk):
        counted += _charge_everywhere(network, ANY)  # it is also compared with all other codes
    if code_row is None:
        _count_wrong_code(where)
        raise make_unknown_code_error()
    for budget, who in counted:
        budget.spend(who, count=-1)
    return code_row


def _charge_attempt(network: str, known: TablePhone | None, where: object) -> list[tuple[Budget, object]]:
    """Charge an attempt to all budgets that it concerns. Return (budget, key) of each, to be refunded if the
    code is right.

    Charging before the lookup gives concurrent requests no extra attempts. Raises TournamentError
    `codes/too_many_tries`.
    """
    if known is not None:
        _refuse_if_limited(WRONG_OF_TABLE.spend(known.code_id), known.code.championship_id)
        return [(WRONG_OF_TABLE, known.code_id)]
    site = supernet_of(network, 48)
    counted: list[tuple[Budget, object]] = [(WRONG_OF_NETWORK, network)]
    if WRONG_OF_NETWORK.spend(network):
        _refuse_if_limited(SUSPECTED.spend(network), where)
    if site != network:
        counted.append((WRONG_OF_SITE, site))
        if WRONG_OF_SITE.spend(site):
            _refuse_if_limited(SUSPECTED_SITE.spend(site), where)
    return counted + _charge_everywhere(network, where)


def _charge_everywhere(network: str, where: object) -> list[tuple[Budget, object]]:
    """Charge an attempt to the budgets of all networks together. `where`: key of the championship, or ANY.

    Return (budget, key) of each.
    """
    site, provider = supernet_of(network, 48), supernet_of(network, 32)
    counted: list[tuple[Budget, object]] = [(WRONG_EVERYWHERE, where)]
    if WRONG_EVERYWHERE.spend(where) and not HALLS.wait(network):
        counted.append((FIRST_OF_SITE, site))
        crowd = provider != network and bool(FIRST_OF_PROVIDER.spend(provider))
        if FIRST_OF_SITE.spend(site) or crowd:
            _refuse_if_limited(SUSPECTED_EVERYWHERE.spend(where), where)
    return counted


def _count_wrong_code(where: object) -> None:
    TOLD_OF.spend(where)
    TOLD_OF.spend(EVERY)


def _refuse_if_limited(seconds: int, where: object) -> None:
    if seconds:
        _count_wrong_code(where)
        raise make_too_many_error(seconds)


def _check_scanned_code(typed: str, network: str) -> TableCode:
    """Return the row of a scanned code. Limits caused by others do not apply, since nobody can guess 127
    bits.
    """
    code_row = _find_code(typed[:TYPED])
    if code_row is None or not hmac.compare_digest(derive_code(code_row).encode(), typed.encode()):
        WRONG_OF_NETWORK.spend(network)
        _count_wrong_code(ANY)
        raise make_unknown_code_error()
    return code_row


def _find_code(code: str) -> TableCode | None:
    found = TableCode.objects.filter(digest=compute_code_digest(code), ended_at=None)
    return found.exclude(championship__status="finished").select_related("championship").first()
