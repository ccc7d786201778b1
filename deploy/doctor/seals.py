"""The check that everything stored is sealed within minutes."""

from datetime import timedelta
from typing import Final

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from deploy.doctor.results import Diagnosis, Severity, fine
from frontend.presenters.words.dates import format_moment
from games.models import Checkpoint
from tournaments.services import championship_seals

LATE_SEAL: Final = timedelta(minutes=5)
"""Age at which an unsealed event is a problem. `deploy/observability/alerts.yml` repeats it in seconds."""


def measure_unsealed_age() -> timedelta:
    """Return how long the oldest unsealed event has waited; zero if all events are sealed."""
    waiting = championship_seals.find_oldest_unsealed()
    return timedelta() if waiting is None else timezone.now() - waiting


def check_seal() -> Diagnosis:
    """Check that no event has waited too long to be sealed."""
    last = Checkpoint.objects.aggregate(at=Max("made_at"))["at"]
    waiting = measure_unsealed_age()
    if waiting > LATE_SEAL:
        minutes = round(waiting.total_seconds() / 60)
        sentence = ngettext(
            "Something has waited for its seal for %(n)d minute.",
            "Something has waited for its seal for %(n)d minutes.",
            minutes,
        )
        remedy = gettext("Check the worker and the seal key: the log of the worker says why.")
        return Diagnosis(Severity.ERROR, sentence % {"n": minutes}, remedy)
    if last is None:
        return fine(gettext("There is nothing to seal yet."))
    day = format_moment(last)
    return fine(gettext("Everything is sealed; the last seal was made on %(day)s.") % {"day": day})
