"""Changing the regulations of a championship, and freezing them when its first round is opened."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from games.appending import record
from tournaments import regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.events import RegulationsFrozen, RegulationsSet
from tournaments.models import Championship, Regulations, Round
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.championships.championships import plan_rounds
from tournaments.services.current_regulations import round_or_session


def change_regulations(
    championship: Championship, data: Mapping[str, Any] | regulations.Regulations, *, actor: Actor
) -> regulations.Regulations:
    """Store `data`, with exact averages, as a new version of the regulations, plan its rounds, and return it.

    Raises TournamentError `regulations/…`: `regulations/frozen` once a round was opened.
    """
    ref = require(actor, "edit", championship)
    wanted = data if isinstance(data, regulations.Regulations) else regulation_checks.decode(data)
    wanted = replace(wanted, averages="exact")
    regulation_checks.check_regulations(wanted)
    with locks.locked_for(championship, actor, "edit") as locked:
        now = Regulations.objects.get(championship=locked, version=locked.regulations_version)
        if now.frozen_at is not None:
            sentence = round_or_session(
                locked,
                _("The regulations have been fixed since the first round was opened."),
                _("The regulations have been fixed since the first session was opened."),
            )
            raise TournamentError("regulations/frozen", sentence)
        drawn = locked.rounds.exclude(status=Round.Status.PLANNED).count()
        if drawn > wanted.rounds:
            raise TournamentError(
                "regulations/rounds_drawn",
                round_or_session(
                    locked, _("Rounds already drawn: %(drawn)s."), _("Sessions already opened: %(drawn)s.")
                ),
                drawn=drawn,
            )
        version = now.version + 1
        encoded = regulations.encode(wanted)
        Regulations.objects.create(championship=locked, version=version, data=encoded)
        Championship.objects.filter(pk=locked.pk).update(regulations_version=version)
        record(locked.stream_id, RegulationsSet(version=version, regulations=encoded), actor=ref)
        plan_rounds(locked, wanted.rounds)
    championship.regulations_version = version
    return wanted


def freeze_regulations(championship: Championship, *, ref: str) -> None:
    """Freeze the regulations and set the championship running, unless they are frozen already."""
    version = locks.lock_championship(championship.pk).regulations_version
    championship.regulations_version = version
    fresh = Regulations.objects.filter(
        championship=championship, version=version, frozen_at__isnull=True
    ).update(frozen_at=timezone.now())
    if fresh:
        Championship.objects.filter(pk=championship.pk).update(status=Championship.Status.RUNNING)
        record(championship.stream_id, RegulationsFrozen(version=version), actor=ref)
        championship.status = Championship.Status.RUNNING
