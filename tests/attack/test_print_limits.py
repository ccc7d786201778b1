"""Paper costs half a second and more of processor, and what is on it changes with each card: nobody prints
without end, and whoever has no office keeps nobody else waiting.
"""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import Settings

from frontend.prints import pdf_cache, print_jobs
from frontend.views.prints import print_limits, prints
from games.errors import TooMuch
from games.messaging import redis_client
from games.messaging.rate_limit import Budget
from tests.client_responses import Answer
from tests.frontend.evening import client, drawn

pytestmark = pytest.mark.django_db
PICTURE = b"a picture"


@pytest.fixture
def made(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What has been typeset; nothing is, in earnest. Each is another one."""
    settings.LIMITS = True
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    monkeypatch.setattr(redis_client, "_clients", {})
    found = [budget for budget in vars(print_limits).values() if isinstance(budget, Budget)]
    assert len(found) == 4
    for budget in found:
        monkeypatch.setattr(budget, "_local_counts", {})
    done: list[str] = []

    def pictured(*_: Any) -> bytes:
        done.append("picture")
        return PICTURE

    def pdf_of(*_: Any) -> bytes:
        done.append("pdf")
        return b"%PDF"

    monkeypatch.setattr(prints, "render_picture", pictured)
    monkeypatch.setattr(print_jobs, "render_pdf", pdf_of)
    drawn(8)
    pdf_cache.KEPT.clear()
    yield done
    pdf_cache.KEPT.clear()


def ask(who: str = "", name: str = "print_preview", address: str = "192.0.2.7") -> Answer:
    """For one that nobody has asked for before."""
    pdf_cache.KEPT.clear()
    return again(who, name, address)


def again(who: str = "", name: str = "print_preview", address: str = "192.0.2.7") -> Answer:
    return client(who).get(reverse(name, args=["herbstcup", "wall"]), REMOTE_ADDR=address)


@pytest.mark.parametrize("name", ["print_preview", "print"])
def test_a_stranger_has_so_much_printed_and_is_told_when_there_is_more(
    made: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_limits.FIRST_OF_ADDRESS, "most", 2)
    monkeypatch.setattr(print_limits.MORE_OF_ALL, "most", 1)
    answers = [ask(name=name) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 2
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert len(made) == 3
    assert ask(name=name, address="192.0.2.8").status_code == 200
    assert again("fredi", name=name).status_code == 200, "the desk prints on, from the same hall"


def test_an_address_that_asks_for_much_leaves_something_to_the_others(made: list[str]) -> None:
    greedy = [ask().status_code for _ in range(21)]
    assert greedy == [200] * 20 + [429]
    for number in (8, 9):
        assert [ask(address=f"192.0.2.{number}").status_code for _ in range(6)] == [200] * 5 + [429]


def test_strangers_from_everywhere_share_what_there_is(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_limits.FIRST_OF_ALL, "most", 3)
    statuses = [ask(address=f"192.0.2.{number}").status_code for number in range(5)]
    assert statuses == [200] * 3 + [429] * 2
    assert ask("fredi").status_code == 200


def test_an_account_with_an_office_has_a_bound_too(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may found a championship, and has every office there."""
    monkeypatch.setattr(print_limits.OF_OFFICE, "most", 3)
    assert [ask("fredi").status_code for _ in range(5)] == [200] * 3 + [429] * 2
    assert ask("hanna").status_code == 200


def test_what_is_made_already_costs_nothing(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_limits.FIRST_OF_ADDRESS, "most", 1)
    monkeypatch.setattr(print_limits.MORE_OF_ALL, "most", 0)
    assert [again().status_code for _ in range(5)] == [200] * 5
    assert made == ["picture"]


def test_of_two_strangers_at_once_one_comes_again_and_the_desk_does_not_wait(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work = threading.BoundedSemaphore(1)
    monkeypatch.setattr(print_limits, "_others", at_work)
    with at_work:  # somebody else's
        refused = ask()
        assert (refused.status_code, refused["Retry-After"]) == (503, "3")
        assert ask("fredi").status_code == 200
    assert ask().status_code == 200
    assert made == ["picture"] * 2


def test_what_is_refused_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> bytes:
        raise TooMuch("much was printed just now")

    monkeypatch.setattr(pdf_cache.KEPT, "most", 10)
    pdf_cache.KEPT.clear()
    for number in range(30):
        with pytest.raises(TooMuch):
            pdf_cache.get_or_make_pdf((number,), "mark", refused)
    assert len(pdf_cache.KEPT) == 10
    pdf_cache.KEPT.clear()
