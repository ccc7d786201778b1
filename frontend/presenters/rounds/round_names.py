"""Names of rounds. A round of an open heat is called a session."""

from django.utils.translation import gettext as _

from frontend.presenters.standings.loaded_rankings import Ranking
from tournaments.models import Championship, Round
from tournaments.services.current_regulations import has_sessions


def round_name(round_: Round) -> str:
    """Return "Round 2", or "Session 2" in an open heat."""
    return numbered_round(round_.championship, round_.number)


def numbered_round(championship: Championship, number: int) -> str:
    """Return the name of the round with this number."""
    return (_("Session %(n)s") if has_sessions(championship) else _("Round %(n)s")) % {"n": number}


def ranking_state(ranking: Ranking) -> str:
    """Return "After round 2", "After session 2" in an open heat, or "Final ranking" for the newest ranking of
    a championship that has ended.
    """
    if ranking.final:
        return _("Final ranking")
    return (_("After session %(n)s") if ranking.by_start else _("After round %(n)s")) % {"n": ranking.after}
