"""Officials: asked and dismissed by name."""

import pytest
from django.urls import reverse
from pytest_django.fixtures import Settings

from frontend.forms import accounts
from games.messaging.rate_limit import Budget
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, entry, html, person
from tournaments.models import Invitation
from tournaments.permissions import may

pytestmark = pytest.mark.django_db


def send(what: str, /, **fields: str) -> Answer:
    address = reverse(what, args=["herbstcup"])
    return client("fredi").post(address, fields, follow=True)


def test_an_office_is_offered_by_the_name_that_signs_in() -> None:
    made = championship(0)
    eva = person("eva")

    answer = send("official_appoint", user="eva", role="referee")

    assert not may(eva, "rule", made), "not before she accepts"
    assert "eva is invited to be referee" in html(answer)


@pytest.mark.parametrize(
    "fields", [{"user": "niemand", "role": "referee"}, {"user": "eva", "role": "king"}, {}]
)
def test_an_unknown_name_or_office_appoints_nobody(fields: dict[str, str]) -> None:
    made = championship(0)
    person("eva")
    before = made.officials.count()

    assert send("official_appoint", **fields).status_code == 400
    assert made.officials.count() == before


def test_who_tries_names_is_told_to_wait_and_learns_of_no_account(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty typing errors an hour, in appointments, links and keepers together."""
    settings.LIMITS = True
    monkeypatch.setattr(accounts, "WRONG_NAMES", Budget("names-of-this-test", most=2, seconds=600))
    championship(4)
    person("eva")
    for name in ("ada", "bea"):
        assert "There is no account" in html(send("official_appoint", user=name, role="referee"))
        assert send("official_appoint", user="hanna", role="king").status_code == 400, (
            "a right one forgets none"
        )

    for name in ("eva", "cleo"):
        answer = send("official_appoint", user=name, role="referee")
        assert answer.status_code == 400
        assert "in 10 min." in html(answer)
        assert "There is no account" not in html(answer)
    assert not Invitation.objects.exists()
    linked = client("fredi").post(
        reverse("entry_edit", args=["herbstcup", 2]), {"family_name": "Bühler", "user": "eva"}
    )
    assert "in 10 min." in html(linked)

    linked = client("hanna").post(
        reverse("entry_edit", args=["herbstcup", 2]), {"family_name": "Bühler", "user": "eva"}, follow=True
    )
    assert linked.status_code == 200, "somebody else has not tried any"


def test_an_office_is_taken_away_but_not_that_of_the_last_director() -> None:
    made = championship(0)
    desk, director = made.officials.get(role="desk"), made.officials.get(role="director")

    client("fredi").post(reverse("official_dismiss", args=["herbstcup", desk.pk]))
    refused = client("fredi").post(reverse("official_dismiss", args=["herbstcup", director.pk]), follow=True)

    assert not may(person("hanna"), "enter", made)
    assert may(person("fredi"), "draw", made)
    assert "officials/last_director" in html(refused)


def test_a_player_gets_the_account_with_which_he_plays_online() -> None:
    made = championship(4)
    eva = person("eva")
    address = reverse("entry_edit", args=["herbstcup", 2])

    client("hanna").post(address, {"family_name": "Bühler", "first_name": "Beat", "user": "eva"})
    assert entry(made, "Beat Bühler").user == eva

    taken = client("hanna").post(
        reverse("entry_edit", args=["herbstcup", 3]), {"family_name": "C", "user": "eva"}
    )
    assert "entries/user_taken" in html(taken)
    assert made.entries.get(number=3).name == "Chiara Caduff", "a refusal leaves all of it as it was"

    client("hanna").post(address, {"family_name": "Bühler", "first_name": "Beat", "user": ""})
    assert entry(made, "Beat Bühler").user is None
