"""From a button on a page to the message, by the processes of `serve`; and their refusals by default."""

import re
from pathlib import Path

import httpx
import pytest

from deploy.environment import BASE_DIR
from tests import live_tree as trees
from tests.tournaments.notices.push_service import Phone, PushService, running

pytestmark = pytest.mark.slow

DESK = "tests.tournaments.notices.at_the_desk"
INSIDE = Path(__file__).with_name("inside_a_worker")
PERSON = "/c/clubabend/people/1/"


def place(**more: str) -> dict[str, str]:
    return {"PYTHONPATH": f"{INSIDE}:{BASE_DIR}", **more}


def press(tree: trees.LiveTree, phone: Phone) -> None:
    """As the page does: with its token, from its address."""
    with httpx.Client(base_url=tree.url, timeout=30) as browser:
        page = browser.get(PERSON).text
        token = re.search(r'name="csrf-token" content="(\w+)"', page)
        assert token is not None
        assert "data-notices" in page
        sent = {**phone.sent, "what": "on"}
        answer = browser.post(f"{PERSON}notices/", data=sent, headers={"X-CSRFToken": token[1]})
        assert answer.json() == {"on": True}


def test_a_press_brings_a_letter_when_the_round_is_drawn_and_when_it_opens(tmp_path: Path) -> None:
    phone = Phone()
    with running(tmp_path) as service:
        told = place(
            TEST_PUSH_PORT=str(service.port), TEST_PUSH_CERTIFICATE=str(tmp_path / "certificate.pem")
        )
        with trees.running("serve", tmp_path / "club", environment=told) as tree:
            tree.python(DESK, "enter")
            press(tree, phone)
            tree.python(DESK, "draw")
            wait_for(service, 1, tree)
            tree.python(DESK, "open")
            wait_for(service, 2, tree)

            assert [one["title"] for one in service.told(phone)] == [
                "Round 1: table 1, seat 1",
                "Round 1 begins: table 1, seat 1",
            ]
            key = tmp_path / "club" / "push_key"
            assert key.stat().st_mode & 0o777 == 0o600
            assert phone.path not in tree.logs()


def test_processes_as_they_are_connect_to_nothing_on_this_machine_and_say_so(tmp_path: Path) -> None:
    phone = Phone()
    with running(tmp_path) as service, trees.running("serve", tmp_path / "club", environment=place()) as tree:
        tree.python(DESK, "enter")
        press(tree, phone)
        tree.python(DESK, "draw")
        service.wait_until(lambda: "notices/endpoint_inside" in tree.logs(), seconds=60)

        assert service.got == []
        assert phone.path not in tree.logs()


def wait_for(service: PushService, letters: int, tree: trees.LiveTree) -> None:
    service.wait_until(lambda: len(service.got) >= letters, seconds=60, otherwise=tree.logs)
