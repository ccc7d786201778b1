"""Which table of a round the director has put in front: on the wall, and for who watches another one. Without
his word it is the closest (`frontend.presenters.closest`).
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.errors import TournamentError
from tournaments.models import Round
from tournaments.permissions import Actor, require
from tournaments.services import locks


def put_in_front(round_: Round, table: int | None, *, actor: Actor) -> Round:
    """The table of that number is featured from now on; None: the closest again, as it changes. Raises
    TournamentError `featured/no_such_table` where its cards are not to be seen."""
    require(actor, "open", round_.championship)
    with transaction.atomic():
        locks.in_office(round_.championship, actor, "open")
        locked = locks.round_(round_.pk)
        if table is not None and table not in cards_are_shown_at(locked):
            raise TournamentError(
                "featured/no_such_table",
                _("Table %(table)s cannot be put in front: its cards are not shown here."),
                table=table,
            )
        locked.featured = table
        locked.save(update_fields=["featured"])
    round_.refresh_from_db()
    return round_


def cards_are_shown_at(round_: Round) -> list[int]:
    """The numbers of the tables whose cards everybody may look at."""
    tables = round_.tables.filter(game__isnull=False).exclude(game__mode=Game.Mode.SHEET)
    shown = tables.exclude(game__visibility=Game.Visibility.PRIVATE)
    return list(shown.order_by("number").values_list("number", flat=True))
