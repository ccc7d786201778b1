"""Tasks go to our broker, whoever sends them."""

from concurrent.futures import ThreadPoolExecutor

from deploy.celery import app
from games import tasks


def test_a_task_sent_from_any_thread_goes_to_our_broker() -> None:
    with ThreadPoolExecutor(1) as other:
        sender = other.submit(lambda: tasks.wake.app).result()

    assert sender is app
    assert str(sender.conf.broker_url).startswith("redis")
