"""Problems of the installation, in sentences that say how to solve them."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.monitoring import condition
from tournaments.services.table_access import code_attempts

SENTENCES: dict[str, Promise] = {
    "condition/database_away": _("The database does not answer: nothing can be stored. Start it again."),
    "condition/database_slow": _(
        "The database takes {n} s to answer: everything is late. Check what else runs on its machine."
    ),
    "condition/redis_away": _(
        "Redis (Valkey) does not answer: plays are stored, live pictures are a second late. Start it again."
    ),
    "condition/redis_full": _(
        "The memory of Redis (Valkey) is full: live pictures are late. Give it more memory."
    ),
    "condition/worker_silent": _(
        "The worker has not run for {n} s: bots, clocks and background jobs are stopped. Restart it."
    ),
    "condition/overdue": _(
        "{n} clocks or bots have been waiting for over ten seconds: the worker is late, or a "
        "table is blocked."
    ),
    "condition/clock_behind": _(
        "The clock of this machine is {n} s behind the last recorded event: set it right."
    ),
    "condition/clock_differs": _(
        "The clocks of this machine and of the database differ by {n} s: set them right."
    ),
    "condition/clock_jumped": _(
        "The clock of this machine jumped by {n} s. Turns go on; check the hours at which rounds open."
    ),
    "condition/disk_low": _("The disk is nearly full: only {n} MB are free. Free some space soon."),
}


GUESSED = _(
    "Somebody is guessing codes of tables: more than 150 wrong codes in ten minutes. People who scan "
    "a card need not wait. Check the list of phones; give a suspicious table a new code."
)


@dataclass(frozen=True, slots=True)
class TroubleView:
    sentence: str
    code: str


def list_troubles() -> list[TroubleView]:
    """Return present problems, and a warning if somebody guesses codes."""
    found = [
        TroubleView(gettext(str(SENTENCES[trouble.code])).format(n=trouble.figure), trouble.code)
        for trouble in condition.recent_troubles()
    ]
    if code_attempts.are_codes_guessed():
        found.append(TroubleView(str(GUESSED), "codes/guessed"))
    return found
