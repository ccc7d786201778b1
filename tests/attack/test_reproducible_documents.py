"""A document with the same content has the same bytes, whenever it is made."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from frontend.prints import pdf_cache
from tests.frontend.evening import client, drawn

pytestmark = pytest.mark.django_db


def document() -> str:
    """What is printed of the page: the rest of it carries the token of a form."""
    page = client().get(reverse("regulations_document", args=["herbstcup"])).content.decode()
    return page[page.index("<article") : page.index("</article>")]


def test_the_regulations_carry_no_minute_of_printing(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    before = document()
    now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=3, minutes=7))
    assert document() == before


def test_a_print_of_the_rules_has_the_same_bytes_when_it_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn(8)
    address = reverse("print", args=["herbstcup", "regulations"])
    before = client("fredi").get(address)
    assert before.content.startswith(b"%PDF"), address
    pdf_cache.KEPT.clear()
    now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=3, minutes=7))
    assert client("fredi").get(address).content == before.content
