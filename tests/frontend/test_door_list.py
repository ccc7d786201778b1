"""The list for the door: who has a place by name, who has paid, and who waits below."""

import io

import pytest
from django.urls import reverse
from pypdf import PdfReader

from frontend.prints import pdf_cache
from tests.frontend.evening import championship, client, person
from tournaments.services.entries import entries, entry_link, entry_terms
from tournaments.services.entries.entries import NewEntry
from tournaments.services.money import fees
from tournaments.services.money.fees import Price

pytestmark = pytest.mark.django_db


def text(query: str = "?language=en") -> str:
    pdf_cache.KEPT.clear()
    answer = client("hanna").get(reverse("print", args=["herbstcup", "door-list"]) + query)
    assert answer.status_code == 200
    return " ".join(
        " ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages).split()
    )


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_who_waits_stands_below_in_order_and_nobody_above(paper: str) -> None:
    made = championship(4, status="registered")
    fees.set_fees(made, [Price("Mitglied", 2050)], actor=person("fredi"))
    entries.pay(made.entries.get(number=2), actor=person("hanna"))
    link = entry_link.set_link(made, on=True, actor=person("hanna"))
    entry_terms.set_terms(made, actor=person("hanna"), limit=4, opens_at=None, closes_at=None)
    for name in ("Zehnder", "Yersin"):
        entry_link.enter_by_link(made, link, "192.0.2.1", NewEntry(family_name=name, first_name="Zita"))

    said = text(f"?language=en&paper={paper}")

    above, below = said.split("Waiting list")
    assert above.index("Ammann Anna") < above.index("Bühler Beat") < above.index("Dörig Dario")
    assert "Entered: 4, paid: 1" in above
    assert above.count("20.50") == 4
    assert "Zita" not in above
    assert below.index("Zehnder Zita") < below.index("Yersin Zita")


def test_without_a_waiting_list_there_is_no_heading_for_one() -> None:
    championship(2)

    assert "Waiting list" not in text()
