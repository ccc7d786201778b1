"""The page to finish, archive and delete announces the effect; an archived championship is read-only."""

import re

import pytest
from django.urls import reverse

from tests.frontend.evening import (
    championship,
    client,
    drawn,
    first,
    forget_what_is_shared,
    html,
    opened,
    person,
    table,
)
from tests.frontend.test_championship_permissions import POST, addresses
from tests.frontend.test_home_page import finished, home
from tournaments.models import Championship
from tournaments.services.championships import archiving, championship_copy
from tournaments.services.entries import entries

pytestmark = pytest.mark.django_db
__all__ = ["addresses"]


def end(name: str = "end", slug: str = "herbstcup") -> str:
    return reverse(f"championship_{name}", args=[slug])


def test_each_step_says_first_what_it_does() -> None:
    made = championship(4)
    shown = html(client("fredi").get(end()))
    assert "Nothing has been played yet, so there is nothing to close." in shown
    assert "It disappears from the lists and becomes read-only" in shown
    assert "4 people are entered and are deleted with it." in shown
    assert "To be sure, type its name: Herbstcup" in shown
    assert end() in html(client("fredi").get(reverse("championship", args=["herbstcup"])))
    assert end() not in html(client("gabi").get(reverse("championship", args=["herbstcup"])))
    assert made.archived_at is None


def test_while_a_round_is_on_only_the_way_to_it_is_offered() -> None:
    drawn()
    shown = html(client("fredi").get(end()))
    assert "Round 1 is drawn or open: close it first" in shown
    assert "Not while round 1 is drawn or open." in shown
    assert "Round 1 was drawn: draws and games stay on record" in shown
    assert "<form" not in shown.partition("<main")[2].partition("</main")[0]
    answer = client("fredi").post(end("archive"), follow=True)
    assert "championship/round_on" in html(answer)


def test_archived_it_is_in_no_list_but_that_of_the_archived_and_at_its_address() -> None:
    finished()
    fredi = client("fredi")
    fredi.post(end("archive", "frueh"))
    forget_what_is_shared()
    for who in (None, "fredi"):
        listed = home(who)
        assert "Frühlingscup" not in listed
        assert "?archived=1" in listed
        address = reverse("home")
        assert "Frühlingscup" in html(client(who).get(address, {"archived": "1"}))
        assert "Frühlingscup" in html(client(who).get(address, {"archived": "1", "q": "ling"}))
        assert "Frühlingscup" not in html(client(who).get(address, {"archived": "1", "q": "herbst"}))
        assert "Frühlingscup" not in html(client(who).get(address, {"q": "ling"}))
        page = html(client(who).get(reverse("championship", args=["frueh"])))
        assert "everything can be read, nothing can be changed" in page
        for name in ("standings", "rounds", "entries", "prizes"):
            assert client(who).get(reverse(name, args=["frueh"])).status_code == 200
    answer = fredi.post(end("archive", "frueh"), {"out": "yes"}, follow=True)
    assert "restored from the archive, unchanged" in html(answer)
    assert "Frühlingscup" in home()


def test_of_an_archived_private_one_strangers_find_nothing() -> None:
    made = finished()
    Championship.objects.filter(pk=made.pk).update(public=False)
    archiving.archive(made, actor=person("fredi"))
    assert "Frühlingscup" not in html(client("eva").get(reverse("home"), {"archived": "1"}))
    assert "Frühlingscup" in html(client("gabi").get(reverse("home"), {"archived": "1"}))


def test_an_archived_one_offers_nothing_to_be_changed_and_every_form_is_refused_in_words(
    addresses: dict[str, str],
) -> None:
    made = Championship.objects.get()
    made.rounds.update(status="closed")
    anna, beat = made.entries.filter(number__in=[1, 2])
    wish = entries.add_constraint(made, "never_meet", anna, beat, actor=person("fredi"))
    archiving.archive(made, actor=person("fredi"))
    before = (list(made.entries.values()), list(made.rounds.values()), list(made.officials.values()))
    fredi = client("fredi")
    for name in ("championship", "entries", "rounds", "round", "standings", "board", "officials", "prizes"):
        shown = html(fredi.get(addresses[name])).partition("<main")[2].partition("</main")[0]
        forms = re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', shown)
        assert {form for form in forms if "resign" not in form} == set(), name
    full = {"family_name": "Mallory", "sure": "yes", "name": "x", "reason": "x", "rounds": "1", "force": "on"}
    full |= {"club": str(made.club_id), "release": str(wish.pk)}
    for name, address in addresses.items():
        if name in POST and name not in ("championship_new", "official_resign", "championship_again"):
            data = full if name not in ("championship_archive", "championship_delete") else {}
            assert fredi.post(address, data).status_code < 500, name
    assert made.side_constraints.count() == 1
    now = (list(made.entries.values()), list(made.rounds.values()), list(made.officials.values()))
    assert now == before


def test_with_people_its_name_is_typed_and_what_was_typed_wrong_stays_in_the_field() -> None:
    championship(4)
    fredi = client("fredi")
    answer = fredi.post(end("delete"), {"name": "Herbst"})
    assert answer.status_code == 400
    assert "championship/name_differs" in html(answer)
    assert 'name="name" value="Herbst"' in html(answer)
    answer = fredi.post(end("delete"), {"name": "Herbstcup"}, follow=True)
    assert "Herbstcup is deleted." in html(answer)
    assert not Championship.objects.exists()


def test_whoever_still_looks_at_a_deleted_one_is_told_that_there_is_none() -> None:
    made = championship(4)
    second = championship_copy.duplicate_championship(made, actor=person("fredi"), name="Wintercup")
    pages = ["championship", "tables", "standings", "projector", "tables_projector", "board", "round"]
    parts = {name: reverse(name, args=["herbstcup", *([1] if name == "round" else [])]) for name in pages}
    for address in parts.values():
        client("fredi").get(address, headers={"HX-Request": "true"})
    archiving.delete(made, actor=person("fredi"), name="Herbstcup")
    for name, address in parts.items():
        for headers in ({}, {"HX-Request": "true"}):
            for who in (None, "fredi"):
                assert client(who).get(address, headers=headers).status_code == 404, name
    assert client("fredi").get(reverse("championship", args=[second.slug])).status_code == 200


def test_what_was_played_cannot_be_deleted_from_the_page() -> None:
    opened("sheet")
    answer = client("fredi").post(end("delete"), {"name": "Herbstcup"})
    assert (answer.status_code, "championship/played" in html(answer)) == (400, True)
    assert table(first(Championship.objects.get()), 1).game is not None
