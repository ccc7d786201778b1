"""Records of seats that an account or a code gets during play, after which one more person sees the hand.

The services that give seats, such as `entries.seat_codes`, call this module in their transaction.
Tables with physical cards, and tables that are over, have no hand to see; nothing is recorded for them.
"""

from django.utils.translation import gettext_lazy as _

from games.appending import record
from games.models import Game, User
from games.projections import delayed_broadcast
from games.rights import delayed_hands, seats
from tournaments.errors import TournamentError
from tournaments.events import SeatGiven
from tournaments.models import Entry, Official, Round, SeatChange, Seating, Table
from tournaments.permissions import Actor

Way = SeatChange.Way


def record_seat_change(
    table: Table, seat: int, way: Way, *, actor: Actor, ref: str, to: User | None = None
) -> bool:
    """Record the change of a seat if the table has a dealt game that is not over. Return whether it was
    recorded.

    `to`: the account that has the seat now; `ref`: the actor's reference.
    """
    game = None if table.game is None else delayed_broadcast.current_game(table.game)
    if game is None or game.mode != Game.Mode.DEALT or delayed_hands.is_game_final(game):
        return False
    SeatChange.objects.create(
        table=table,
        seat=seat,
        way=way,
        to_official=to is not None and bool(_official_ref(to, table)),
        given_by=actor,
        ref=ref,
        deal=game.deal,
    )
    return True


def record_account_change(entry: Entry, *, actor: Actor, ref: str) -> None:
    """Record for each running table of an entry, in a row and in the log, that its account was linked or
    removed.
    """
    way = Way.NO_ACCOUNT if entry.user is None else Way.ACCOUNT
    for seating in list_running_seats(entry):
        table = seating.table
        if record_seat_change(table, seating.seat, way, actor=actor, ref=ref, to=entry.user):
            event = SeatGiven(
                game=str(table.game_id),
                table=table.number,
                seat=seating.seat,
                player=entry.player_ref,
                account=entry.user is not None,
                office=_official_ref(entry.user, table),
            )
            record(table.round.stream_id, event, actor=ref)


def require_not_looked(entry: Entry, user: User) -> None:
    """Raise TournamentError `entries/has_looked` if a user would get a seat in a deal whose hidden cards they
    have opened.
    """
    for seating in list_running_seats(entry):
        if seating.table.game is not None and seats.has_looked(seating.table.game, user.pk):
            raise TournamentError(
                "entries/has_looked",
                _(
                    "%(user)s has opened the hidden cards of this deal: they can get the seat only "
                    "in the next deal."
                ),
                user=user.get_username(),
            )


def list_running_seats(entry: Entry) -> list[Seating]:
    """List the seatings of the entry at dealt tables that are not over, in rounds that are not closed."""
    dealt = Seating.objects.filter(entry=entry, table__game__mode=Game.Mode.DEALT)
    open_ = dealt.exclude(round__status=Round.Status.CLOSED).select_related("table__game", "table__round")
    games = [(seating, seating.table.game) for seating in open_]
    return [
        one
        for one, game in games
        if game is not None and not delayed_hands.is_game_final(delayed_broadcast.current_game(game))
    ]


def _official_ref(user: User | None, table: Table) -> str:
    offices = Official.objects.filter(user=user, championship=table.round.championship_id)
    return "" if user is None else offices.values_list("ref", flat=True).first() or ""
