"""Seat ownership: a seat belongs to the one person who got it last, by account or by code.

Giving a seat to an account revokes the codes of the seat; a scanned code takes the seat from another account.
`games.messaging.game_pubsub` tells open sockets to check their rights at once. If this hint is lost, they
check them with the next heartbeat and before the next secret (`games.live.hub`).
"""

from collections.abc import Collection, Mapping
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.messaging import game_pubsub
from games.models import Access, Game, Stream, TableToken, User
from games.models.accounts import Role
from games.projections import delayed_broadcast


def give_to_account(places: Mapping[str, int], ref: str, user: User | None) -> None:
    """Give seats to an account, recorded under the reference `ref`. `places`: game id → seat. `user` None:
    the seats belong to no account any more.

    Revokes the codes of these seats; with `user` None, only used-up codes of seats that an account had.
    """
    if not places:
        return
    here = _seat_condition(places)
    codes = TableToken.objects.filter(here, revoked_at=None)
    if user is None:
        account = Access.objects.filter(game=OuterRef("game"), role=Role.SEAT, seat=OuterRef("seat"))
        codes = codes.filter(Exists(account), uses_left=0)
    with transaction.atomic():
        lock_games(places)
        # Codes first, as when one is scanned: two concurrent takers of a seat lock rows in the same order.
        codes.update(revoked_at=timezone.now())
        Access.objects.filter(here).delete()
        if user is not None:
            rows = [
                Access(game_id=game, user=user, role=Role.SEAT, seat=seat, ref=ref)
                for game, seat in places.items()
            ]
            Access.objects.bulk_create(rows)
        announce_seat_changes(places)


def claim_with_code(row: TableToken, account: int | None) -> None:
    """Give the seat to the holder of its scanned code, if the code has a seat. Any other account loses the
    seat.

    This happens at the scan, not when codes are printed: printing makes codes for every seat of a round, also
    for seats of accounts, and ends earlier codes. `account`: primary key of the account that is signed in on
    the scanning device, or None; it keeps the seat if it had it.
    """
    if row.role == Role.SEAT and row.seat is not None:
        Access.objects.filter(_seat_condition({row.game_id: row.seat})).exclude(user=account).delete()
        announce_seat_changes([row.game_id])


def has_looked(game: Game, account: int) -> bool:
    """Return whether this account has opened the hidden cards of the deal in play. One query."""
    looked = Access.objects.filter(
        game=game, user=account, opened_deal=delayed_broadcast.current_game(game).deal
    )
    return looked.exclude(opened_deal=0).exists()


def lock_games(games: Collection[str]) -> None:
    """Lock these games until the transaction ends. A command that was authorised earlier is then stored
    before the change, or authorised again after it (`games.play.submit`). Lock games before codes and
    accounts.
    """
    streams = Stream.objects.select_for_update(no_key=True).filter(pk__in=games).order_by("pk")
    list(streams.values_list("pk"))


def announce_seat_changes(games: Collection[str]) -> None:
    """After the commit, tell all sockets at these games to check their rights again."""
    for game in games:
        transaction.on_commit(partial(game_pubsub.publish_rights_change, game), robust=True)


def _seat_condition(places: Mapping[str, int]) -> Q:
    """Return the condition for rows of accounts or codes at these seats. `places`: game id → seat."""
    here = Q()
    for game, seat in places.items():
        here |= Q(game=game, seat=seat)
    return here & Q(role=Role.SEAT)
