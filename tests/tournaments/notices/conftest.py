"""A platform with push messages, and a push service that receives them."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.messaging import redis_client, task_queue
from games.models import Deadline, User
from games.timers import deadlines
from tests.tournaments.notices.push_service import Phone, PushService, ThisMachine, running
from tournaments.models import Entry, Notice, Subscription
from tournaments.notices import delivery, occasions, subscriptions
from tournaments.notices.keys import make_push_key


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "push_key"
    make_push_key(path)
    return path


@pytest.fixture
def key(key_file: Path, settings: Settings) -> Path:
    settings.PUSH_KEY = key_file
    return key_file


@pytest.fixture
def service(tmp_path: Path, key: Path) -> Iterator[PushService]:
    with running(tmp_path) as service:
        yield service


@pytest.fixture(autouse=True)
def _nobody_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    delivery._resting.clear()
    monkeypatch.setattr(task_queue, "send", lambda *message, **_: None)
    redis_client.ask_redis(lambda redis: redis.delete(redis_client.key("notices", "telling")), None)


Subscribe = Callable[..., Phone]


@pytest.fixture
def subscribe(key: Path) -> Subscribe:
    """A phone that is subscribed to this entry."""

    def make(
        entry: Entry, phone: Phone | None = None, *, language: str = "en", user: User | None = None
    ) -> Phone:
        phone = phone or Phone()
        endpoint = phone.endpoint
        subscriptions.subscribe(
            entry,
            endpoint,
            user=user,
            language=language,
            network="192.0.2.1",
        )
        return phone

    return make


Tell = Callable[[], int]


@pytest.fixture
def tell(service: PushService) -> Tell:
    """Run what is due, as a worker would: the deadline of the round, then the letters."""

    def act() -> int:
        settle()
        return delivery.send_due(ThisMachine(service.port))

    return act


def settle() -> None:
    """Let the delay pass in which chairs may still be changed."""
    later = timezone.now() + occasions.SETTLE_DELAY + timedelta(seconds=1)
    for pk in Deadline.objects.filter(kind=occasions.KIND).values_list("pk", flat=True):
        assert deadlines.run(pk, later)


def is_over(phone: Phone) -> bool:
    return not Subscription.objects.filter(mark=subscriptions._endpoint_mark(phone.url)).exists()


def make_due() -> None:
    """Let the time until the next try pass."""
    delivery._resting.clear()
    Notice.objects.filter(sent_at=None, ended_at=None).update(due_at=timezone.now())
