"""The table of a round that the director features on the wall and for viewers of other tables.

If the director features none, the table with the closest scores is featured
(`frontend.presenters.tables.most_interesting_tables`).
"""

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.errors import TournamentError
from tournaments.models import Round
from tournaments.permissions import Actor
from tournaments.services import locks


def feature_table(round_: Round, table: int | None, *, actor: Actor) -> Round:
    """Feature the table with this number. None: feature none.

    Raises TournamentError `featured/no_such_table` if no table with public cards has this number.
    """
    with locks.for_official(round_.championship, actor, "open"):
        locked = locks.lock_round(round_.pk)
        if table is not None and table not in list_public_tables(locked):
            raise TournamentError(
                "featured/no_such_table",
                _("Table %(table)s cannot be shown first: its cards are not public."),
                table=table,
            )
        locked.featured = table
        locked.save(update_fields=["featured"])
    round_.refresh_from_db()
    return round_


def list_public_tables(round_: Round) -> list[int]:
    """List the numbers of the tables whose cards are public."""
    tables = round_.tables.filter(game__isnull=False).exclude(game__mode=Game.Mode.SHEET)
    shown = tables.exclude(game__visibility=Game.Visibility.PRIVATE)
    return list(shown.order_by("number").values_list("number", flat=True))
