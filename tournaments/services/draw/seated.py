"""The people at tables: finding and prefetching them, and checking whether their chairs can be changed."""

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.errors import TournamentError
from tournaments.models import Round, Seating, Table


def prefetch_people(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Prefetch the seatings of the tables in order, each with its entry and account.

    Entries and accounts are joined: an IN list of a thousand entries would exceed SQLite's expression depth.
    """
    seatings = Seating.objects.select_related("entry__user").order_by("seat")
    return tables.prefetch_related(Prefetch("seatings", seatings))


def find_seating(round_: Round, number: int) -> Seating:
    """Return the seating of the entry with this number in the round. Raises TournamentError
    `chairs/not_seated`.
    """
    found = round_.seatings.select_related("entry__user", "table__game").filter(entry__number=number).first()
    if found is None:
        raise TournamentError(
            "chairs/not_seated",
            _("Nobody with the number %(number)s is seated in this round."),
            number=number,
        )
    return found


def require_drawn_or_open(round_: Round) -> None:
    """Raise TournamentError `chairs/round_over` unless the round is drawn or open, so that chairs can be
    changed.
    """
    if round_.status not in (Round.Status.DRAWN, Round.Status.OPEN):
        raise TournamentError(
            "chairs/round_over",
            _("Chairs can be changed while round %(round)s is drawn or open."),
            round=round_.number,
        )


def require_not_dealt(mode: str) -> None:
    """Raise TournamentError `chairs/dealt` if `mode` is that of a table at which the platform deals."""
    if mode == Game.Mode.DEALT:
        raise TournamentError(
            "chairs/dealt",
            _("The platform deals cards for one of the two: a new code lets somebody else sit down there."),
        )
