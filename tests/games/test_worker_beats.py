"""Real workers, each with its own beat, on a real broker: due work is done once."""

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.utils import timezone

from deploy.environment import BASE_DIR
from deploy.process_tree import embedded
from deploy.process_tree.children import READY_FD, end_with_parent
from games import audit, store
from games.bots import strategies
from games.models import Deadline, Game
from tests.games.cast import table
from tests.games.live_server import database_url

pytestmark = pytest.mark.faults
SECONDS = 120.0


@contextlib.contextmanager
def worker(folder: Path, **environment: str) -> Iterator[None]:
    """A worker with its beat, as `serve` starts it; it has said that it is ready."""
    ready, said = os.pipe()
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            embedded.make_worker_child().command,
            cwd=BASE_DIR,
            env={**os.environ, "DATABASE_URL": database_url(), READY_FD: str(said), **environment},
            pass_fds=(said,),
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=partial(end_with_parent, os.getpid()),
            start_new_session=True,
        )
    os.close(said)
    try:
        with os.fdopen(ready) as pipe:
            assert pipe.readline() == "ready\n", (folder / "worker.log").read_text()
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.long(1)
@pytest.mark.slow
def test_two_beats_after_ten_minutes_without_any_play_each_turn_once(
    real_database: str, redis_url: str, tmp_path: Path
) -> None:
    own = {"REDIS_URL": redis_url, "PUUR_CHANNEL_PREFIX": f"beats-{secrets.token_hex(4)}"}
    bots = dict.fromkeys(range(4), strategies.FIRST_LEGAL)
    with worker(tmp_path, **own), worker(tmp_path, **own):
        game = table(deals=1, bots=bots, bot_pace=0.01)
        Deadline.objects.update(due_at=timezone.now() - timedelta(minutes=10))
        until = time.monotonic() + SECONDS
        while Game.objects.get(pk=game.pk).status != Game.Status.ENDED:
            assert time.monotonic() < until, (tmp_path / "worker.log").read_text()
            time.sleep(0.1)
    store.verify(game.pk)
    assert audit.audit(game).clean
    events = store.read(game.pk)
    assert Counter(event.type for event in events)["card_played"] == 36
    turns = [event.body["seat"] for event in events if event.type == "card_played"]
    assert Counter(turns) == dict.fromkeys(range(4), 9)
    assert not Deadline.objects.exists()
