"""Clock jumps: a machine's clock was set, or was wrong at the boot. The clocks of players, and bots, continue
in running turns as if the clock had not jumped.

Deadlines in the database use the wall clock. Sweeps record the wall clock and the seconds since the boot; if
they diverge, the wall clock has jumped. Agreed times, such as the opening of a round, stay unchanged.
"""

import logging
import socket
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from games.models import Deadline, Heartbeat
from games.timers import turn_deadlines

BEAT_SECONDS: Final = 5.0
JUMP_SECONDS: Final = 3.0
"""Seconds up to which a difference counts as a gradual correction of the clock."""
SILENCE_SECONDS: Final = 15.0
OTHER_MACHINE_WINDOW: Final = timedelta(minutes=1)
TURN_KINDS: Final = (turn_deadlines.DEAL, turn_deadlines.BOT, turn_deadlines.CLOCK)

_clock_offset = timezone.now().timestamp() - monotonic()
log = logging.getLogger(__name__)


def has_clock_jumped() -> bool:
    """Return whether the clock has jumped since the last call in this process. A cheap check for work that
    cannot wait for a sweep.
    """
    global _clock_offset
    before, _clock_offset = _clock_offset, timezone.now().timestamp() - monotonic()
    return abs(_clock_offset - before) > JUMP_SECONDS


def record_heartbeat() -> float:
    """Record this machine's sweep. Return the seconds by which the clock has jumped, mostly 0. A jump moves
    the deadlines of turns too, unless another machine sweeps as well.
    """
    host, boot, now, running = socket.gethostname()[:100], _read_boot_id(), timezone.now(), monotonic()
    known = Heartbeat.objects.filter(host=host).first()
    if known is None:
        try:
            with transaction.atomic():
                Heartbeat.objects.create(host=host, boot=boot, at=now, monotonic=running)
        except IntegrityError:  # another sweep was quicker
            pass
        return 0.0
    if abs(_measure_jump(known, boot, now, running)) > JUMP_SECONDS:
        return _handle_jump(host, boot, now, running)
    if abs((now - known.at).total_seconds()) >= BEAT_SECONDS or known.boot != boot:
        Heartbeat.objects.filter(host=host).update(boot=boot, at=now, monotonic=running)
        stood = running - known.monotonic
        if known.boot == boot and stood > SILENCE_SECONDS:
            log.warning("the worker stood still for %d s; what was due meanwhile is done now", stood)
    return 0.0


def _measure_jump(known: Heartbeat, boot: str, now: datetime, running: float) -> float:
    passed = (now - known.at).total_seconds()
    if boot and known.boot == boot:
        return passed - (running - known.monotonic)
    return min(passed, 0.0)  # across a reboot only a backward jump is recognisable


def _handle_jump(host: str, boot: str, now: datetime, running: float) -> float:
    with transaction.atomic():
        known = Heartbeat.objects.select_for_update(no_key=True).get(host=host)
        jump = _measure_jump(known, boot, now, running)
        if abs(jump) <= JUMP_SECONDS:
            return 0.0  # another sweep has handled it
        others = (
            Heartbeat.objects.exclude(host=host)
            .filter(at__gt=min(now, known.at) - OTHER_MACHINE_WINDOW)
            .exists()
        )
        Heartbeat.objects.filter(host=host).update(
            boot=boot, at=now, monotonic=running, jump=jump, jumped_at=now
        )
        moved = 0 if others else _move_deadlines(now, jump)
    log.error("the clock of %s jumped by %d s; %d clocks and bots go on by the new time", host, jump, moved)
    return jump


def _move_deadlines(now: datetime, jump: float) -> int:
    """Move the deadlines of turns that were armed by the old time, and return how many. A deadline counts as
    armed by the old time if it is nearer to the old time than to the new one.
    """
    by, rows = timedelta(seconds=jump), Deadline.objects.filter(kind__in=TURN_KINDS)
    rows = rows.filter(due_at__lt=now - by / 2) if jump > 0 else rows.filter(due_at__gt=now - by / 2)
    return rows.update(due_at=F("due_at") + by)


def _read_boot_id() -> str:
    """Return the id of the current boot; empty if the operating system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
