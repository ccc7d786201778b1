"""A worker is killed while it sends messages: another one sends the rest, and none twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.environment import BASE_DIR
from games.messaging import redis_client
from games.models import User
from tests.games.live_server import database_url
from tests.tournaments.notices.conftest import Subscribe, Tell, make_due, settle
from tests.tournaments.notices.push_service import Phone, PushService, certificate
from tournaments.models import Notice
from tournaments.services.championships import championships
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import entries

pytestmark = pytest.mark.faults

TELLING = """
import os, signal, sys, django
django.setup()
from tests.tournaments.notices.push_service import ThisMachine
from tournaments.notices import delivery
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(delivery, sys.argv[1], killed)
delivery.send_due(ThisMachine(int(sys.argv[2]), sys.argv[3]))
"""


def two_phones(subscribe: Subscribe) -> list[Phone]:
    """Anna's and Beat's, when a round has just been drawn."""
    fredi = User.objects.create(username="fredi")
    made = championships.create(actor=fredi, name="Clubabend", changes={"rounds": 1})
    people = [entries.NewEntry(name, status="arrived") for name in ("Anna", "Beat", "Chiara", "Dario")]
    added = entries.add_entries(made, people, actor=fredi)
    phones = [subscribe(entry) for entry in added[:2]]
    seating_by_hand.seat_by_hand(made.rounds.get(), [[entry.number for entry in added]], actor=fredi)
    settle()
    return phones


def killed_at(step: str, service: PushService, key: Path) -> None:
    command = [sys.executable, "-c", TELLING, step, str(service.port), certificate()[0].decode()]
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "PUUR_PUSH_KEY": str(key),
    }
    done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    # The mark of who tells alone runs out by itself.
    redis_client.ask_redis(lambda redis: redis.delete(redis_client.key("notices", "telling")), None)


@pytest.mark.long(1)
@pytest.mark.parametrize(
    ("step", "before", "after"),
    [("claim_notices", 0, 2), ("write_letters", 0, 0), ("_record_reply", 2, 2)],
    ids=["its lines are open", "it has claimed them", "they are written"],
)
def test_a_worker_is_killed_when(
    real_database: str,
    subscribe: Subscribe,
    service: PushService,
    tell: Tell,
    key: Path,
    step: str,
    before: int,
    after: int,
) -> None:
    phones = two_phones(subscribe)
    killed_at(step, service, key)
    assert len(service.got) == before

    make_due()
    tell()

    assert len(service.got) == after
    assert all(len(service.to(phone)) <= 1 for phone in phones)
    assert not Notice.objects.filter(sent_at=None).exists()
