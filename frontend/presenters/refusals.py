"""What is said when something is refused: a sentence for people, and the stable code beside it."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from engine import IllegalCommand
from frontend.presenters.errors import error_text
from games.errors import Refused
from games.store import ConcurrencyError
from tournaments.errors import TournamentError
from tournaments.pairing import PairingError
from tournaments.standings import StandingsError

REFUSALS: Final = (Refused, IllegalCommand, ConcurrencyError, PairingError, StandingsError)
"""Everything a person can cause and put right; nothing has changed when one of these is raised."""

Refusal = Refused | IllegalCommand | ConcurrencyError | PairingError | StandingsError

CONFLICT: Final = _("Somebody else was quicker. Look at the page as it is now, and try again.")


def code_of(error: Refusal) -> str:
    return str(getattr(error, "code", "store/conflict"))


def sentence_of(error: Refusal) -> str:
    """Translated where the code is known; else the English line of the layer that refused."""
    if isinstance(error, ConcurrencyError):
        return str(CONFLICT)
    if isinstance(error, TournamentError):
        return str(error)
    return error_text(code_of(error), str(getattr(error, "detail", error)), getattr(error, "params", {}))


def tell(request: HttpRequest, error: Refusal) -> None:
    """Put it where the page shows its messages."""
    messages.error(request, sentence_of(error), extra_tags=code_of(error))
