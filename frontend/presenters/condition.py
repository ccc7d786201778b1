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
        "The database takes {n} s to answer: everything is late. Look what else runs on its machine."
    ),
    "condition/redis_away": _(
        "Redis (Valkey) does not answer: plays are stored, live pictures are a second late. Start it again."
    ),
    "condition/redis_full": _(
        "Redis (Valkey) takes nothing more, its memory is full: live pictures are late. Give it more memory."
    ),
    "condition/worker_silent": _(
        "The worker has stood still for {n} s: bots, clocks and long work stand. Restart it."
    ),
    "condition/overdue": _(
        "{n} clocks or bots have waited for over ten seconds: the worker is behind or a table is blocked."
    ),
    "condition/clock_behind": _(
        "The clock of this machine is {n} s behind what has happened already: set it right."
    ),
    "condition/clock_differs": _(
        "The clocks of this machine and of the database differ by {n} s: set them right."
    ),
    "condition/clock_jumped": _(
        "The clock of this machine jumped by {n} s. Turns go on; check the hours at which rounds open."
    ),
    "condition/disk_low": _("The disk is nearly full, {n} MB are left: make room while there is time."),
}


GUESSED = _(
    "Somebody is trying codes of tables, more than a hall mistypes: more than 150 wrong ones in ten minutes. "
    "A person who scans a card is not kept waiting. Look at the list of phones; a table that is suspicious "
    "gets a new code."
)


@dataclass(frozen=True, slots=True)
class TroubleView:
    sentence: str
    code: str


def troubles() -> list[TroubleView]:
    """Return present problems, and a warning if somebody guesses codes."""
    found = [
        TroubleView(gettext(str(SENTENCES[trouble.code])).format(n=trouble.figure), trouble.code)
        for trouble in condition.recent_troubles()
    ]
    if code_attempts.are_codes_guessed():
        found.append(TroubleView(str(GUESSED), "codes/guessed"))
    return found
