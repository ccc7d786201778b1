"""A document with the same content has the same bytes, whenever it is made."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from frontend.prints import kept
from tests.frontend.evening import client, drawn

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["regulations_document", "regulations"])
def test_the_regulations_carry_no_minute_of_printing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    before = client("").get(reverse(name, args=["herbstcup"])).content
    now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=3, minutes=7))
    assert client("").get(reverse(name, args=["herbstcup"])).content == before


def test_a_print_of_the_rules_has_the_same_bytes_when_it_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(8)
    address = reverse("print", args=["herbstcup", "rules"])
    before = client("fredi").get(address)
    assert before.content.startswith(b"%PDF"), address
    kept.forget_all()
    now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=3, minutes=7))
    assert client("fredi").get(address).content == before.content
