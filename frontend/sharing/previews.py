"""What stands on the picture of a link: of a championship, its ranking, a table."""

from typing import Final

from django.utils.translation import gettext as _

from frontend.presenters import rankings, standings
from frontend.presenters.names import seat_names, sides_of
from frontend.sharing.preview_pictures import LinkPreview, PreviewLine
from frontend.templatetags.championship import occasion
from games.models import Game
from tournaments.models import Championship, Table

TOP: Final = 5


def preview_of_championship(championship: Championship) -> LinkPreview:
    """Its name, place and day, and who leads."""
    ranked = preview_of_ranking(championship)
    said = ", ".join(filter(None, (championship.place, occasion(championship.starts_at))))
    return LinkPreview(championship.name, said, ranked.lines[:3], championship.get_status_display())


def preview_of_ranking(championship: Championship) -> LinkPreview:
    """The first of the newest ranking that was published."""
    ranking = rankings.published(championship)
    rows = ranking.rows[:TOP]
    people = standings.people(championship, rows)
    lines = [PreviewLine(standings.name_in(people, row), str(row.total), str(row.place)) for row in rows]
    foot = _("After round %(n)s") % {"n": ranking.after} if rows else ""
    return LinkPreview(_("Standings"), championship.name, lines, foot)


def preview_of_table(game: Game, place: Table | None) -> LinkPreview:
    """Who plays and how it stands: what every list of tables shows, and no card."""
    sides = sides_of(seat_names(game), game.sides)
    totals = dict(enumerate(game.totals))
    lines = [
        PreviewLine(side, "–" if totals.get(at) is None else str(totals[at])) for at, side in enumerate(sides)
    ]
    deal = _("Deal %(n)s") % {"n": game.deal} if game.deal else ""
    if place is None:
        return LinkPreview(_("A single table"), "", lines, deal)
    said = f"{place.round.championship.name} · " + _("Round %(n)s") % {"n": place.round.number}
    return LinkPreview(_("Table %(number)s") % {"number": place.number}, said, lines, deal)
