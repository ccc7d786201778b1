"""Pages of a sealed series: reasons with both tables, published versions, tickets, the file."""

import html as entities
import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from games import sealing, store
from tests.frontend.evening import client, html, person
from tests.frontend.visible import english
from tests.tournaments.series_evenings import evening, publish_totals
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Championship, ClubSeries, Person, Round
from tournaments.series.document import QualifyStep
from tournaments.services.audit import row_audit
from tournaments.services.series import editing, publishing, stream

pytestmark = pytest.mark.django_db
SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 860, "Dario Derungs": 800}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940}


@pytest.fixture(autouse=True)
def _key(tmp_path: Path, settings: Settings) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    sealing.make_seal_key(settings.SEAL_KEY)


@pytest.fixture
def made() -> ClubSeries:
    """Two evenings that count; the first two people of all qualify."""
    fredi = person("fredi")
    found = editing.create_series(rolls.default_club(fredi), name="Jahr 2026", preset="season", actor=fredi)
    steps = [
        QualifyStep(kind="wild_card"),
        QualifyStep(kind="holder"),
        QualifyStep(kind="first", count=2, of="all"),
    ]
    editing.set_qualification(found, steps=steps, level="chain", actor=fredi)
    for name, totals in (("Frühling", SPRING), ("Sommer", SUMMER)):
        editing.add_event(found, championship=evening(fredi, name, totals), actor=fredi)
    return found


def post(made: ClubSeries, view: str, *parts: Any, **posted: Any) -> Any:
    return client("fredi").post(reverse(view, args=[made.slug, *parts]), posted)


def page(made: ClubSeries, name: str = "series", who: str | None = None, **asked: Any) -> str:
    return html(client(who).get(reverse(name, args=[made.slug]), asked))


def ref(name: str) -> str:
    return f"p{Person.objects.get(name=name).pk}"


def test_a_change_of_what_counts_shows_both_tables_and_asks_for_a_reason(made: ClubSeries) -> None:
    event = made.events.get(key="e2")
    sent = {"championship": event.championship_id, "name": "Sommer", "weight": "3", "state": "planned"}
    answer = post(made, "series_event", event.pk, "save", **sent)
    shown = html(answer)
    assert answer.status_code == 409
    assert "What this changes" in shown
    assert "Give a reason to change a weight in a table that already counts." in shown
    assert '<input type="hidden" name="weight" value="3">' in shown
    row = re.search(r'<tr class="mine"><th scope="row">Beat Bühler.*?</tr>', shown, re.S)
    assert row is not None
    cells = re.findall(r'<td class="num"><small class="muted">(.*?)</small> (.*?)</td>', row[0])
    assert cells == [("1.", "43"), ("1.", "93")]
    event.refresh_from_db()
    assert event.weight == 1

    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown)
    again = {name: entities.unescape(value) for name, value in hidden if name != "csrfmiddlewaretoken"}
    assert post(made, "series_event", event.pk, "save", **again, reason=" ").status_code == 409
    assert post(made, "series_event", event.pk, "save", **again, reason="Beschluss").status_code == 302
    event.refresh_from_db()
    assert event.weight == 3


def test_a_finished_evening_is_added_to_a_published_table_with_its_reason(made: ClubSeries) -> None:
    post(made, "series_change", "publish")
    autumn = evening(person("fredi"), "Herbst", {"Chiara Caduff": 990, "Anna Ammann": 500})
    sent = {"championship": autumn.pk, "weight": "1"}

    asked = post(made, "series_change", "add", **sent)

    assert asked.status_code == 409
    assert "This evening changes a published table" in html(asked)
    assert made.events.filter(championship=autumn).count() == 0
    assert post(made, "series_change", "add", **sent, reason="ging vergessen").status_code == 302
    assert made.events.filter(championship=autumn).count() == 1


@pytest.mark.parametrize(
    ("name", "parts", "sent"),
    [
        ("series_change", ["numbers"], {"best": "1", "least": "", "step3": "1"}),
        ("series_change", ["rules"], {"preset": "club_average"}),
        ("series_change", ["steps"], {"steps-level": "lot", "level": "lot"}),
        ("series_event", ["e1", "remove"], {}),
        ("series_event", ["e1", "later"], {}),
    ],
)
def test_each_such_change_is_asked_for_its_reason(
    made: ClubSeries, name: str, parts: list[str], sent: dict[str, str]
) -> None:
    parts = [str(made.events.get(key=one).pk) if one == "e1" else one for one in parts]
    assert post(made, name, *parts, **sent).status_code == 409
    assert post(made, name, *parts, **sent, reason="Beschluss").status_code == 302


def test_the_steps_of_a_qualification_are_edited_on_one_form(made: ClubSeries) -> None:
    shown = page(made, "series_edit", "fredi")
    assert shown.count("<legend>Step ") == 5, "three steps, and two empty ones"
    steps: dict[str, str] = {"level": "lot", "reason": "Beschluss"}
    wanted: list[dict[str, str]] = [
        {"kind": "holder"},
        {"kind": "share", "number": "20", "round": "down", "lapse": "on"},
        {"kind": ""},
        {"kind": "threshold", "number": "850"},
        {"kind": "category", "category": "woman", "number": "2"},
        {"kind": "best_rest", "number": "16"},
        {"kind": "wild_card"},
        {"kind": "first", "number": "3", "of": "each"},
    ]
    for at, step in enumerate(wanted, 1):
        steps |= {f"step{at}-{name}": value for name, value in step.items()}
    assert post(made, "series_change", "steps", **steps).status_code == 302

    made.refresh_from_db()
    rules = editing.decode_series_rules(made).qualify
    assert rules is not None
    assert rules.level == "lot"
    assert rules.steps == (
        QualifyStep(kind="holder"),
        QualifyStep(kind="share", percent=20, round="down", lapse=True),
        QualifyStep(kind="threshold", points=850),
        QualifyStep(kind="category", category="woman", count=2),
        QualifyStep(kind="best_rest", fill_to=16),
        QualifyStep(kind="wild_card"),
        QualifyStep(kind="first", count=3, of="each"),
    )
    said = page(made)
    for sentence in (
        "The best of the category woman are in the final: 2.",
        "The organiser gives wild cards, each with a reason.",
        "A place that somebody does not need lapses.",
        "Between level people a lot decides.",
    ):
        assert sentence in said
    wrong = {"level": "lot", "step1-kind": "share", "step1-number": "101", "step2-kind": "first"}
    answer = post(made, "series_change", "steps", **wrong)
    assert answer.status_code == 400
    assert "A share is at most 100 per cent." in html(answer)
    assert "This step needs a number." in html(answer)
    assert "Which category?" in html(
        post(made, "series_change", "steps", **{"level": "all", "step1-kind": "category"})
    )
    post(made, "series_change", "steps", level="all", reason="niemand")
    made.refresh_from_db()
    assert editing.decode_series_rules(made).qualify is None


def test_a_table_is_published_and_a_correction_shown_as_a_difference(made: ClubSeries) -> None:
    assert "This table is not published yet." in page(made, who="fredi")
    assert "not published yet" not in page(made)
    assert "Nothing is published yet" in page(made, "series_versions")
    assert post(made, "series_change", "publish").status_code == 302
    assert "Version 1 was published" in page(made)
    assert "changed since" not in page(made)
    versions = page(made, "series_versions")
    last = sealing.find_latest_checkpoint(str(ClubSeries.objects.get().stream_id))
    assert last is not None
    assert " ".join(sealing.in_words(last.hash)) in versions

    publish_totals(Championship.objects.get(name="Sommer"), [1, 2], [940, 950])
    assert "The table has changed since." in page(made)
    since = page(made, "series_versions")
    assert "Since version 1" in since
    assert '<tr class="mine">' in since
    assert "Publish the table" not in since
    assert "Publish the table" in page(made, "series_versions", "fredi")
    post(made, "series_change", "publish")
    shown = page(made, "series_versions")
    assert "What version 2 changed" in shown
    first = page(made, "series_versions", version="1")
    assert "What version" not in first
    assert '<tr class="mine">' not in first
    assert "Since version" not in shown


def test_versions_have_no_gap_and_a_deleted_one_is_no_page(
    made: ClubSeries, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TournamentError("series/nothing_counts", "refused after its row is made")

    post(made, "series_change", "publish")
    publish_totals(Championship.objects.get(name="Sommer"), [1, 2], [940, 950])
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "record_events", refuse)
        with pytest.raises(TournamentError):
            publishing.publish_table(made, actor=person("fredi"))
    publishing.publish_table(made, actor=person("fredi"))
    publish_totals(Championship.objects.get(name="Sommer"), [1, 2], [930, 955])
    publishing.publish_table(made, actor=person("fredi"))
    assert list(made.snapshots.values_list("version", flat=True)) == [1, 2, 3]

    made.snapshots.filter(version=2).delete()

    assert "What version 3 changed" in page(made, "series_versions")
    answer = client().get(reverse("series_versions", args=[made.slug]), {"version": "2"})
    assert answer.status_code == 404
    made.refresh_from_db()
    told = store.read(str(made.stream_id))
    assert list(row_audit.find_series_differences(made, told)) == [
        "published table 2: it is missing",
        "published qualification 2: it is missing",
    ]


def test_the_page_names_what_no_published_table_counts(made: ClubSeries) -> None:
    assert list_unpublished(page(made)) == [], "before the first table only keepers are told"
    assert list_unpublished(page(made, who="fredi")) == [("Frühling", "ranking of"), ("Sommer", "ranking of")]
    post(made, "series_change", "publish")
    assert "Not yet in a published table" not in page(made, who="fredi")
    publish_totals(Championship.objects.get(name="Sommer"), [1, 2], [940, 950])
    told = page(made)
    assert "Not yet in a published table:" in told
    assert list_unpublished(told) == [("Sommer", "corrected")]


def list_unpublished(told: str) -> list[tuple[str, str]]:
    """Return the evenings that a page names as not published, with the reason."""
    return re.findall(r"<li>(\w+): (corrected|ranking of)", told)


def close_evening(made: ClubSeries, name: str, **posted: str) -> str:
    """Close an evening of the series whose rounds are over; return the page that follows."""
    last = evening(person("fredi"), name, SPRING, finished=False)
    editing.add_event(made, championship=last, actor=person("fredi"))
    last.rounds.update(status=Round.Status.CLOSED)
    last.status = Championship.Status.RUNNING
    last.save(update_fields=["status"])
    for view in ("championship", "championship_end"):
        assert "Also publish the table of Jahr 2026" in html(
            client("fredi").get(reverse(view, args=[last.slug]))
        )
    told = html(client("fredi").post(reverse("championship_finish", args=[last.slug]), posted, follow=True))
    last.refresh_from_db()
    assert last.status == Championship.Status.FINISHED
    assert "The championship is closed." in told
    return told


def test_an_evening_is_closed_and_the_series_table_published_in_one_press(made: ClubSeries) -> None:
    told = close_evening(made, "Herbst", series_table="1")
    assert "Version 1 of the table of Jahr 2026 is published." in told
    made.refresh_from_db()
    assert len(stream.read_state(made).rankings) == 3
    assert "Not yet in a published table" not in page(made, who="fredi")


def test_a_table_that_needs_a_reason_waits_while_the_evening_is_closed(made: ClubSeries) -> None:
    publishing.publish_table(made, actor=person("fredi"))
    other = rolls.add_person(made.club, actor=person("fredi"), first_name="Anna", family_name="Zwei")
    Championship.objects.get(name="Sommer").entries.filter(name="Anna Ammann").update(person=other)
    refusal = (
        "The table of Jahr 2026 is not published: Results of a published table would belong to other people"
    )
    assert "is not published" not in close_evening(made, "Herbst")
    assert refusal in close_evening(made, "Winter", series_table="1")
    assert made.snapshots.count() == 1
    assert list_unpublished(page(made)) == [("Herbst", "ranking of"), ("Winter", "ranking of")]


def test_moved_results_are_published_with_a_reason(made: ClubSeries) -> None:
    publishing.publish_table(made, actor=person("fredi"))
    other = rolls.add_person(made.club, actor=person("fredi"), first_name="Anna", family_name="Zwei")
    Championship.objects.get(name="Sommer").entries.filter(name="Anna Ammann").update(person=other)
    answer = post(made, "series_change", "publish")
    assert answer.status_code == 409
    assert "Results of a published table would belong to other people" in html(answer)
    assert post(made, "series_change", "publish", reason="verwechselt").status_code == 302
    assert made.snapshots.count() == 2


def test_tickets_are_given_declined_accepted_and_taken_back(made: ClubSeries) -> None:
    tickets = page(made, "series_tickets", "fredi", q="derungs")
    assert "Derungs Dario" in tickets
    dario = Person.objects.get(name="Dario Derungs")
    address = reverse("series_ticket", args=[made.slug, "wild-card"])
    answer = client("fredi").post(address, {"person": dario.pk, "reason": " "}, follow=True)
    assert "A wild card needs a reason" in html(answer)
    assert not made.tickets.exists()
    post(made, "series_ticket", "wild-card", person=dario.pk, reason="baut den Saal")
    assert "wild card: baut den Saal" in page(made)
    post(made, "series_ticket", "holder", person=Person.objects.get(name="Chiara Caduff").pk)
    order = re.findall(r"<li>([A-Z]\w+ \S+) <small", page(made))
    assert order == ["Dario Derungs", "Chiara Caduff", "Beat Bühler", "Anna Ammann"]

    post(made, "series_ticket", "decline", ref=ref("Beat Bühler"))
    assert "Plays after all" in page(made, "series_tickets", "fredi")
    assert "Beat Bühler <small" not in page(made)
    post(made, "series_ticket", "undo", ref=ref("Beat Bühler"), kind="declined")
    post(made, "series_ticket", "accept", ref=ref("Beat Bühler"))
    assert "accepted</span>" in page(made)
    post(made, "series_ticket", "undo", ref=ref("Dario Derungs"), kind="wild_card")
    assert "baut den Saal" not in page(made)
    assert post(made, "series_ticket", "other").status_code == 404
    assert post(made, "series_ticket", "holder", person="x").status_code == 404
    stranger = rolls.add_person(
        rolls.found_club("Anderswo", actor=person("eva")),
        actor=person("eva"),
        first_name="Z",
        family_name="Z",
    )
    assert post(made, "series_ticket", "holder", person=stranger.pk).status_code == 404


def test_others_neither_see_nor_change_tickets(made: ClubSeries) -> None:
    for who in ("eva", None):
        answer = client(who).get(reverse("series_tickets", args=[made.slug]))
        assert answer.status_code == (404 if who else 302)
        address = reverse("series_ticket", args=[made.slug, "accept"])
        assert client(who).post(address, {"ref": ref("Beat Bühler")}).status_code == (404 if who else 302)
        publish = reverse("series_change", args=[made.slug, "publish"])
        assert client(who).post(publish).status_code == (404 if who else 302)
    assert not made.tickets.exists()
    assert not made.snapshots.exists()


def test_the_file_has_the_names_that_its_reader_may_see(made: ClubSeries) -> None:
    publishing.publish_table(made, actor=person("fredi"))
    Championship.objects.filter(name="Sommer").update(public_names="initials")

    def names(who: str | None) -> bytes:
        answer = client(who).get(reverse("series_file", args=[made.slug]))
        assert answer["Content-Disposition"] == 'attachment; filename="jahr-2026.zip"'
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert not [name for name in archive.namelist() if name.startswith("events/")]
            return archive.read("names.json")

    assert b"Ammann" not in names(None)
    assert b"Ammann" in names("fredi")
    Championship.objects.filter(name="Sommer").update(public=False)
    for name in ("series_file", "series_versions"):
        assert client().get(reverse(name, args=[made.slug])).status_code == 404
    ClubSeries.objects.update(stream=None)
    assert client("fredi").get(reverse("series_file", args=[made.slug])).status_code == 404


def test_the_queries_of_these_pages_do_not_grow_with_the_events(made: ClubSeries) -> None:
    publishing.publish_table(made, actor=person("fredi"))

    def queries(name: str) -> int:
        browser = client("fredi")
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(reverse(name, args=[made.slug])).status_code == 200
        return len(asked)

    pages = ("series", "series_versions", "series_tickets")
    few = [queries(name) for name in pages]
    for n in range(10):
        more = evening(person("fredi"), f"Abend {n}", SUMMER)
        editing.add_event(made, championship=more, actor=person("fredi"), reason="vergessen")
    publishing.publish_table(made, actor=person("fredi"))
    assert [queries(name) for name in pages] == few


def test_the_pages_of_a_sealed_series_are_german(made: ClubSeries) -> None:
    publishing.publish_table(made, actor=person("fredi"))
    publish_totals(Championship.objects.get(name="Sommer"), [1, 2], [940, 950])
    event = made.events.get(key="e1")
    browser = client("fredi")
    browser.cookies["django_language"] = "de"
    for address in (
        reverse("series", args=[made.slug]),
        reverse("series_edit", args=[made.slug]),
        reverse("series_versions", args=[made.slug]),
        reverse("series_tickets", args=[made.slug]) + "?q=anna",
    ):
        assert list(english(html(browser.get(address)))) == [], address
    confirmed = browser.post(reverse("series_event", args=[made.slug, event.pk, "remove"]))
    assert list(english(html(confirmed))) == []
