"""Drawing all rounds before play begins, and drawing all rounds that are not open yet once more."""

from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Round
from tournaments.pairing.systems import DRAWN, get_system
from tournaments.permissions import Actor, require
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing


def may_draw_ahead(regulations: Regulations) -> bool:
    """Return whether the regulations allow drawing rounds before earlier rounds are played.

    If partners and opponents are drawn by lot, the regulations must say explicitly that all rounds are drawn
    at the start.
    """
    if "all_rounds_known" not in get_system(regulations.pairing_system).abilities:
        return False
    return regulations.draws_at_start or regulations.pairing_system != DRAWN


def draw_ahead(championship: Championship, *, actor: Actor) -> list[Round]:
    """Draw all planned rounds, in order. If one of them cannot be drawn, none is.

    Raises TournamentError `draw/not_ahead` if the regulations do not allow it, `draw/nothing_planned`, and
    what `drawing.draw_round` raises.
    """
    with locks.for_official(championship, actor, "draw") as (locked, _ref):
        _require_ahead(locked)
        planned = list(locked.rounds.filter(status=Round.Status.PLANNED).order_by("number"))
        if not planned:
            raise TournamentError("draw/nothing_planned", _("All rounds are already drawn."))
        return [drawing.draw_round(round_, actor=actor) for round_ in planned]


def redraw_rounds_to_come(championship: Championship, *, actor: Actor, reason: str) -> list[Round]:
    """Undo the draws of all rounds that are not open yet, and draw all planned rounds. The `reason` is
    recorded.

    Raises TournamentError `draw/reason_needed` without a reason, `draw/nothing_to_redraw`, and what
    `draw_ahead` raises.
    """
    require(actor, "draw", championship)
    if not reason.strip():
        raise TournamentError(
            "draw/reason_needed",
            _(
                "Give the reason for drawing the coming rounds again: their sheets may already be on "
                "the wall."
            ),
        )
    with locks.locked_for(championship, actor, "draw") as locked:
        _require_ahead(locked)
        drawn = list(locked.rounds.filter(status=Round.Status.DRAWN).order_by("-number"))
        if not drawn:
            raise TournamentError("draw/nothing_to_redraw", _("No coming round is drawn."))
        for round_ in drawn:
            draw_undoing.undo_draw(round_, actor=actor, reason=reason.strip())
        return draw_ahead(locked, actor=actor)


def _require_ahead(championship: Championship) -> None:
    if not may_draw_ahead(load_regulations(championship)):
        raise TournamentError(
            "draw/not_ahead",
            _("By these regulations each round is drawn separately, when the previous one is over."),
        )
