"""Playing fewer rounds than the regulations say, and finishing early.

The frozen regulations do not change. An event records the number of rounds; the last such event counts.
"""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import RoundsPlanned
from tournaments.models import Championship, Entry, Round
from tournaments.pairing.systems import get_system, read_options
from tournaments.permissions import Actor
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.championships import archiving, championships
from tournaments.services.current_regulations import load_regulations, round_or_session
from tournaments.standings import StandingsError


def compute_possible_rounds(championship: Championship) -> tuple[int, int]:
    """Return the least and the largest possible number of rounds. The least is the number of rounds drawn
    already, at least 1; the largest is that of the regulations.
    """
    begun = championship.rounds.exclude(status=Round.Status.PLANNED).count()
    return max(begun, 1), load_regulations(championship).rounds


class ManyRounds(NamedTuple):
    """Numbers of rounds and entrants, for regulations with more rounds than a pairing system draws well."""

    rounds: int
    entrants: int


def find_many_rounds(championship: Championship, regulations: Regulations) -> ManyRounds | None:
    """Return both numbers if the regulations have more rounds than the pairing system draws well.

    Otherwise return None, also before anybody has entered.
    """
    system = get_system(regulations.pairing_system)
    if system.advise_rounds is None:
        return None
    entered = championship.entries.filter(house=False, merged_into=None).exclude(
        status=Entry.Status.WITHDRAWN
    )
    entrants = entered.count() // regulations.members_of_entrant
    options = read_options(system, regulations.pairing_options)
    advised = system.advise_rounds(entrants, options)
    if not entrants or advised is None or regulations.rounds <= advised:
        return None
    return ManyRounds(regulations.rounds, entrants)


def set_round_count(championship: Championship, count: int, *, actor: Actor) -> None:
    """Set the number of rounds: planned rounds are deleted or added. Raises TournamentError
    `championship/…`.
    """
    with locks.for_official(championship, actor, "edit") as (locked, ref):
        if locked.status != Championship.Status.RUNNING:
            raise TournamentError(
                "championship/not_running",
                round_or_session(
                    locked,
                    _("Only during play; before that the regulations set the number of rounds."),
                    _("Only during play; before that the regulations set the number of sessions."),
                ),
            )
        least, most = compute_possible_rounds(locked)
        if not least <= count <= most:
            raise TournamentError(
                "championship/rounds_bounds",
                round_or_session(
                    locked,
                    _("From %(least)s to %(most)s rounds can be played."),
                    _("From %(least)s to %(most)s sessions can be played."),
                ),
                least=least,
                most=most,
            )
        _check_counting(locked, count)
        if count != locked.rounds.count():
            record(locked.stream_id, RoundsPlanned(rounds=count), actor=ref)
            championships.plan_rounds(locked, count)


def _check_counting(championship: Championship, count: int) -> None:
    regulations = load_regulations(championship)
    sealed = regulations.counting.what == "nearest" and count < regulations.rounds
    try:
        regulations.counting.check(regulations.most_starts if regulations.has_queue else count)
    except StandingsError:
        sealed = True
    if sealed:
        raise TournamentError(
            "championship/rounds_counting",
            _("These regulations allow no ranking of %(count)s rounds."),
            count=count,
        )


def finish_early(championship: Championship, *, actor: Actor) -> None:
    """Finish the championship with the rounds that are closed.

    Raises TournamentError `championship/round_on` while a round is drawn or open, and what `set_round_count`
    raises.
    """
    with locks.for_official(championship, actor, "close") as (locked, _ref):
        closed = locked.rounds.filter(status=Round.Status.CLOSED).count()
        archiving.require_no_round_on(locked)
        set_round_count(locked, closed, actor=actor)
        championships.finish(locked, actor=actor)
