"""Self-registration works only by the desk's link."""

import re
from typing import Any

import pytest
from django.urls import reverse
from pytest_django.fixtures import Settings

from games import store
from games.errors import TooMuch
from games.messaging.rate_limit import Budget
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, html, person
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry
from tournaments.services.championships import archiving
from tournaments.services.entries import entry_link
from tournaments.services.entries.entries import NewEntry

pytestmark = pytest.mark.django_db
ZITA = {"first_name": "Zita", "family_name": "Zehnder", "club": "Jassfreunde", "consents": "on"}


def linked(**more: Any) -> tuple[Championship, str]:
    """Of two people, and the address that its link leads to."""
    made = championship(2, **more)
    link = entry_link.set_link(made, on=True, actor=person("hanna"))
    return made, reverse("enter_oneself", args=["herbstcup", link])


def enter(address: str, **told: str) -> Answer:
    return client().post(address, {**ZITA, **told}, follow=True)


def test_the_desk_makes_a_link_and_ends_it() -> None:
    made = championship(2)
    entries, link = (reverse(name, args=["herbstcup"]) for name in ("entries", "entry_link"))
    assert "Create a link" in html(client("hanna").get(entries))

    shown = html(client("hanna").post(link, {"on": "1"}, follow=True))
    made.refresh_from_db()
    address = f"/e/herbstcup/{made.entry_link}/"
    assert f'value="http://testserver{address}"' in shown
    assert "<svg" in shown
    assert made.entry_link not in html(client("anna").get(entries)), "only the desk is shown it"

    client("hanna").post(link, {"on": "1"})
    assert client().get(address).status_code == 404, "another one takes its place"
    client("hanna").post(link)
    made.refresh_from_db()
    assert made.entry_link == ""


def test_an_address_that_only_this_computer_reaches_is_not_made_a_code() -> None:
    linked()
    entries = reverse("entries", args=["herbstcup"])

    elsewhere = html(client("hanna").get(entries))
    here = html(client("hanna").get(entries, headers={"host": "127.0.0.1:8000"}))

    assert "own-link-code" in elsewhere
    assert "own-link-code" not in here
    assert "works on this computer only" in here


def test_who_enters_himself_is_on_the_list_and_has_neither_paid_nor_arrived() -> None:
    made, address = linked()
    assert "Herbstcup" in html(client().get(address))

    shown = html(enter(address))

    assert "Zita Zehnder is entered, number 3." in shown
    entry = made.entries.get(number=3)
    assert (entry.name, entry.listed, entry.club) == ("Zita Zehnder", "Zehnder Zita", "Jassfreunde")
    assert (entry.status, entry.paid, entry.user) == (Entry.Status.REGISTERED, False, None)
    assert entry.consented_at is not None
    added = store.read(made.stream_id)[-1]
    assert (added.type, added.actor) == ("entry_added", "server")


def test_nothing_else_can_be_said_of_oneself() -> None:
    made, address = linked()

    enter(
        address, status="arrived", paid="1", house="on", number="1", user="fredi", note="x", allow_double="on"
    )

    entry = made.entries.get(number=3)
    assert (entry.status, entry.paid, entry.house, entry.user, entry.note) == (
        "registered",
        False,
        False,
        None,
        "",
    )


@pytest.mark.parametrize(
    ("told", "status", "code"),
    [
        ({"first_name": "Beat", "family_name": "Bühler"}, 409, "entries/double"),
        ({"first_name": "", "family_name": ""}, 400, ""),
        ({"family_name": "x" * 181}, 400, ""),
        ({"family_name": "a\u202eb"}, 409, "names/"),
    ],
)
def test_what_cannot_be_entered_is_said_and_changes_nothing(
    told: dict[str, str], status: int, code: str
) -> None:
    made, address = linked()

    answer = enter(address, **told)

    assert (answer.status_code, made.entries.count()) == (status, 2)
    assert code in html(answer)


@pytest.mark.parametrize("link", ["x", "", "ä"])
def test_a_link_that_is_none_leads_nowhere(link: str) -> None:
    made, address = linked()
    entry_link.set_link(made, on=False, actor=person("hanna"))

    for path in (address, f"/e/herbstcup/{link or 'AAAAAAAAAAAAAAAA'}/", "/e/nowhere/AAAAAAAAAAAAAAAA/"):
        assert client().get(path).status_code == 404
        assert client().post(path, ZITA).status_code == 404
    assert made.entries.count() == 2


def test_a_link_that_ends_while_somebody_types_takes_nobody_in() -> None:
    made, _ = linked()
    link = made.entry_link
    entry_link.set_link(made, on=True, actor=person("hanna"))

    with pytest.raises(TournamentError, match="no longer works"):
        entry_link.enter_by_link(made, link, "192.0.2.1", NewEntry(family_name="Zehnder"))


def test_once_it_is_over_nobody_enters_and_there_is_no_new_link() -> None:
    made, address = linked()
    Championship.objects.filter(pk=made.pk).update(status="finished")

    assert "entries/finished" in html(enter(address))
    with pytest.raises(TournamentError) as refused:
        entry_link.set_link(made, on=True, actor=person("hanna"))
    assert refused.value.code == "entries/finished"
    archiving.archive(made, actor=person("fredi"))
    assert "championship/archived" in html(enter(address))
    assert made.entries.count() == 2


def test_a_crowd_of_names_is_held_up(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = True
    monkeypatch.setattr(entry_link, "ADDRESS_BUDGET", Budget("entry-link-of-this-test", most=2, seconds=600))
    made, address = linked()

    answers = [enter(address, family_name=name) for name in ("Eins", "Zwei", "Drei")]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "entries/too_many_by_link" in html(answers[-1])
    assert made.entries.count() == 4


def test_of_a_private_championship_the_page_shows_its_name_and_no_more() -> None:
    made, address = linked(public=False)

    shown = html(client().get(address))

    assert "Herbstcup" in shown
    assert not re.search(r'href="/c/herbstcup/', shown)
    assert "Bühler" not in shown
    assert client().get(address)["Cache-Control"] == "no-store"
    assert made.entries.count() == 2


def test_whoever_is_held_up_does_not_use_up_the_link_of_others(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LIMITS = True
    monkeypatch.setattr(entry_link, "ADDRESS_BUDGET", Budget("address-of-that-test", most=1, seconds=600))
    monkeypatch.setattr(entry_link, "LINK_BUDGET", Budget("link-of-that-test", most=2, seconds=600))
    made, _ = linked()

    def enters(name: str, network: str) -> str:
        try:
            entry_link.enter_by_link(made, made.entry_link, network, NewEntry(family_name=name))
        except TooMuch as refused:
            return refused.code
        return ""

    said = [enters(f"Gast {n}", "192.0.2.1") for n in range(5)]

    assert said == ["", *["entries/too_many_by_link"] * 4]
    assert enters("Zehnder", "198.51.100.7") == ""
