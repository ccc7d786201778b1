"""Audits from the pages: started with a button, watched while they run, and filed."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.frontend.evening import client, html, opened, person, table
from tests.games import cast
from tests.games.cast import play
from tests.tournaments.table_play import write_sheet
from tests.tournaments.test_auditing import forge
from tournaments.models import Audit, Championship
from tournaments.services.audit import auditing

pytestmark = pytest.mark.django_db


def evening() -> Championship:
    round_ = opened("sheet")
    write_sheet(table(round_, 1), [100] * 8)
    return round_.championship


def begin(who: str) -> Audit:
    answer = client(who).post(reverse("audit_start", args=["herbstcup"]))
    assert answer.status_code == 302
    return Audit.objects.get()


def test_officials_are_offered_an_audit_where_there_was_none() -> None:
    evening()
    address = reverse("audits", args=["herbstcup"])
    assert "Audit now" in html(client("gabi").get(address))
    seen = html(client("hanna").get(address))
    assert ("No audit yet" in seen, "Audit now" in seen) == (True, False)
    assert client("anna").get(address).status_code == 403
    assert client().get(address).status_code == 302


def test_an_audit_shows_its_progress_and_then_its_report() -> None:
    championship = evening()
    audit = begin("fredi")
    page = reverse("audit", args=["herbstcup", audit.pk])
    assert 'hx-trigger="every 1s"' in html(client("fredi").get(page))

    while auditing.check_next(audit):
        pass

    part = html(client("fredi").get(page, headers={"HX-Request": "true"}))
    assert "Nothing wrong" in part
    assert "hx-trigger" not in part
    assert "<html" not in part
    text = client("fredi").get(reverse("audit_text", args=["herbstcup", audit.pk]))
    assert text["Content-Disposition"] == 'attachment; filename="audit-herbstcup.txt"'
    assert f"Audit of {championship.name}" in html(text)
    assert "nothing wrong" in html(client("hanna").get(reverse("audits", args=["herbstcup"])))


def test_what_is_wrong_names_the_table_and_leads_to_its_replay() -> None:
    evening()
    forge()
    audit = begin("gabi")
    while auditing.check_next(audit):
        pass
    seen = html(client("gabi").get(reverse("audit", args=["herbstcup", audit.pk])))
    assert "Round 1, table 1" in seen
    assert "Stored bytes differ from what was written" in seen
    assert "difference" in html(client("gabi").get(reverse("audits", args=["herbstcup"])))


def test_nobody_else_starts_one_and_an_unknown_one_is_not_found() -> None:
    evening()
    for who in ("hanna", "anna"):
        assert client(who).post(reverse("audit_start", args=["herbstcup"])).status_code == 403
    assert not Audit.objects.exists()
    assert client("gabi").get(reverse("audit", args=["herbstcup", "f" * 32])).status_code == 404


def night(day: int = 1) -> Audit:
    audit = auditing.start_audit(night=date(2026, 9, day))
    while auditing.check_next(audit):
        pass
    return audit


def test_the_audits_of_the_nights_are_listed_with_the_part_of_this_championship() -> None:
    evening()
    elsewhere = play(cast.table())
    good = night(1)
    forge()
    bad = night(2)
    seen = html(client("gabi").get(reverse("audits", args=["herbstcup"])))
    assert seen.count("every night") == 2
    assert "nothing wrong" in seen
    part = html(client("hanna").get(reverse("audit", args=["herbstcup", bad.pk])))
    assert "Round 1, table 1" in part
    assert "manage.py audit --night" in part
    assert elsewhere.pk not in part
    assert "Nothing wrong was found in this championship." in html(
        client("gabi").get(reverse("audit", args=["herbstcup", good.pk]))
    )
    text = html(client("gabi").get(reverse("audit_text", args=["herbstcup", bad.pk])))
    assert "what it found in Herbstcup" in text
    assert elsewhere.pk not in text
    assert client("anna").get(reverse("audit", args=["herbstcup", bad.pk])).status_code == 403


def test_the_time_of_an_audit_is_written_as_elsewhere() -> None:
    audit = auditing.start_audit(evening(), actor=person("fredi"))
    Audit.objects.update(started_at=datetime(2026, 11, 22, 17, 33, tzinfo=UTC))
    for address in (
        reverse("audits", args=["herbstcup"]),
        reverse("audit", args=["herbstcup", audit.pk]),
    ):
        assert "22 Nov 2026, 18:33" in html(client("gabi").get(address))


def test_a_list_of_audits_costs_the_same_however_long(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    championship = evening()
    for _ in range(12):
        auditing.start_audit(championship)
    forge()
    for day in range(1, 9):
        night(day)
    gabi = client("gabi")
    gabi.get(reverse("audits", args=["herbstcup"]))
    with django_assert_max_num_queries(12):
        gabi.get(reverse("audits", args=["herbstcup"]))
