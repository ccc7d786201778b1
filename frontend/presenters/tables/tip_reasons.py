"""The reasons for tips to players, in words."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots.tip_reasons import Reason

SENTENCES: Final[dict[str, Callable[[int], str]]] = {
    "only_card": lambda n: _("It is the only card you may play."),
    "draws_trumps": lambda n: (
        ngettext(
            "%(n)d trump is still out; this draws it.", "%(n)d trumps are still out; this draws them.", n
        )
        % {"n": n}
    ),
    "cashes_winner": lambda n: _("Nobody holds a higher card of this suit."),
    "leads_safely": lambda n: _("It gives the others no points."),
    "takes_as_last": lambda n: (
        ngettext(
            "You play last and take the trick with %(n)d point.",
            "You play last and take the trick with %(n)d points.",
            n,
        )
        % {"n": n}
    ),
    "takes_for_sure": lambda n: _("Nobody after you can beat it."),
    "ruffs": lambda n: _("A trump takes this trick."),
    "adds_to_partner": lambda n: (
        ngettext(
            "The trick is likely your side’s: this adds %(n)d point.",
            "The trick is likely your side’s: this adds %(n)d points.",
            n,
        )
        % {"n": n}
    ),
    "loses_little": lambda n: _("The trick is lost: this card loses least."),
    "avoids_points": lambda n: _("You want no more points: this avoids the trick."),
}
"""Code of a reason → function of its number that returns the sentence."""


def reason_text(reason: Reason | None) -> str:
    """Return the sentence for the reason of a tip; empty without a reason."""
    return "" if reason is None else SENTENCES[reason.code](reason.figure)
