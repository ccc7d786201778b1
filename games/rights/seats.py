"""Who sits where: a seat belongs to one person at a time, whoever was given it last, by account or by code.

Both ways end the other here. `games.messaging.game_pubsub` has open sockets checked again at once;
where the hint gets lost they find out as from any other right that is taken away: with the next heartbeat
and before the next secret (`games.live.hub`).
"""

from collections.abc import Collection, Mapping
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.messaging import game_pubsub
from games.models import Access, Game, Stream, TableToken, User
from games.models.people import Role
from games.projections import delayed_broadcast


def give_to_account(places: Mapping[str, int], ref: str, user: User | None) -> None:
    """The seats, by game, are this person's under the reference `ref`; None: no longer any account's.

    Nobody else's code opens them from then on. Where no account follows, codes stay good, but for the one
    with which whoever leaves had sat down himself, signed in.
    """
    if not places:
        return
    here = _at(places)
    codes = TableToken.objects.filter(here, revoked_at=None)
    if user is None:
        account = Access.objects.filter(game=OuterRef("game"), role=Role.SEAT, seat=OuterRef("seat"))
        codes = codes.filter(Exists(account), uses_left=0)
    with transaction.atomic():
        hold_seats(places)
        # Codes first, as where one is scanned: two who take one seat at once wait for each other here.
        codes.update(revoked_at=timezone.now())
        Access.objects.filter(here).delete()
        if user is not None:
            rows = [
                Access(game_id=game, user=user, role=Role.SEAT, seat=seat, ref=ref)
                for game, seat in places.items()
            ]
            Access.objects.bulk_create(rows)
        tell_of_seats(places)


def give_to_phone(row: TableToken, account: int | None) -> None:
    """A seat's code was scanned: the account that had the seat until now has it no more.

    Not when codes are printed: that is done for every seat of a round, also for those with an account, and
    ends the codes of before. `account`: the key of whoever is signed in on that phone; a player who scans
    the code of his own seat keeps both.
    """
    if row.role == Role.SEAT and row.seat is not None:
        Access.objects.filter(_at({row.game_id: row.seat})).exclude(user=account).delete()
        tell_of_seats([row.game_id])


def has_looked(game: Game, account: int) -> bool:
    """Whether this account has opened the hidden cards of the deal that is played there. One query."""
    looked = Access.objects.filter(game=game, user=account, opened_deal=delayed_broadcast.now_of(game).deal)
    return looked.exclude(opened_deal=0).exists()


def hold_seats(games: Collection[str]) -> None:
    """Nothing is stored in these games until the transaction ends: a command that was let in comes before
    it, or is asked again after it (`games.play.submit`). Held before codes and accounts are.
    """
    held = Stream.objects.select_for_update(no_key=True).filter(pk__in=games).order_by("pk")
    list(held.values_list("pk"))


def tell_of_seats(games: Collection[str]) -> None:
    """After the commit the sockets at these games are asked for again."""
    for game in games:
        transaction.on_commit(partial(game_pubsub.publish_rights, game), robust=True)


def _at(places: Mapping[str, int]) -> Q:
    """The rows, of accounts or codes, for these seats."""
    here = Q()
    for game, seat in places.items():
        here |= Q(game=game, seat=seat)
    return here & Q(role=Role.SEAT)
