"""The print "My rounds": each person's drawn rounds on one slip."""

import io

import pytest
from django.urls import reverse
from pypdf import PdfReader

from tests.frontend.evening import championship, client, html, person
from tournaments.models import Championship, Entry, Round, Seating
from tournaments.services.draw import drawing_ahead

pytestmark = pytest.mark.django_db


def text_of(made: Championship, query: str = "?language=de") -> str:
    answer = client("fredi").get(reverse("print", args=[made.slug, "my-rounds"]) + query)
    assert answer.status_code == 200
    pages = PdfReader(io.BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def drawn_ahead(preset: str, people: int, rounds: int) -> Championship:
    made = championship(people, preset=preset, count=rounds)
    made.entries.update(status=Entry.Status.ARRIVED)
    drawing_ahead.draw_ahead(made, actor=person("fredi"))
    return made


def test_a_slip_has_all_rounds_with_table_partner_and_opponents() -> None:
    made = drawn_ahead("einzelschieber_at_start", 8, 4)
    text = text_of(made)
    assert text.count("Passe Tisch") == 8, "one slip a person"
    seats = Seating.objects.filter(round__championship=made).select_related("entry", "table", "round")
    for seat in seats.filter(entry__number=1):
        there = {one.seat: one.entry.name for one in seats.filter(table=seat.table)}
        partner = there[(seat.seat + 2) % 4]
        others = ", ".join(there[at] for at in sorted(there) if at % 2 != seat.seat % 2)
        row = f"{seat.round.number} {seat.table.number} {'ABCD'[seat.seat]} mit {partner} gegen {others}"
        assert row in text, row


def test_it_is_offered_where_rounds_are_drawn_ahead() -> None:
    plain = championship(8)
    page, slips = (
        reverse(name, args=[plain.slug, *more]) for name, more in (("prints", []), ("print", ["my-rounds"]))
    )
    assert "my-rounds" not in html(client("fredi").get(page))
    assert client("fredi").get(slips).status_code in (302, 404)
    Championship.objects.filter(pk=plain.pk).update(slug="other")
    made = championship(8, preset="einzelschieber_at_start", count=4)
    assert "As soon as several rounds are drawn." in html(
        client("fredi").get(reverse("prints", args=[made.slug]))
    )
    made.entries.update(status=Entry.Status.ARRIVED)
    drawing_ahead.draw_ahead(made, actor=person("fredi"))
    assert made.rounds.filter(status=Round.Status.DRAWN).count() == made.rounds.count()
    assert reverse("print", args=[made.slug, "my-rounds"]) in html(
        client("fredi").get(reverse("prints", args=[made.slug]))
    )


def test_in_a_whist_everybody_reads_their_bye() -> None:
    text = text_of(drawn_ahead("whist", 13, 13))
    assert text.count("setzt aus") == 13
