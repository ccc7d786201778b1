"""Requests of monitors, link previews, crawlers and password managers: HEAD, files at fixed addresses."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django.fixtures import Settings

from engine import VARIANTS
from tests.frontend.evening import championship, client, html, opened, person, table
from tests.frontend.pages import parts_of
from tournaments.models import ClubEvent
from tournaments.services.championships import championships
from tournaments.services.money import bookings
from tournaments.services.table_access import table_codes

pytestmark = pytest.mark.django_db


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


def every_address() -> dict[str, str]:
    """By the name of its pattern; where a name has several, by the address itself."""
    one = table(opened("dealt", "sheet", people=8), 1)
    made = one.round.championship
    table_codes.make_codes(made, 1, actor=person("fredi"))
    parts = parts_of(one) | {
        "person_id": made.entries.get(number=2).person_id,
        "booking_id": bookings.book(made, "income", "Los", 100, actor=person("fredi")).pk,
        "digest": "0" * 64,
        "nonce": "x",
    }
    parts["event_id"] = ClubEvent.objects.get(championship=made).pk
    found = {}
    for pattern in patterns(get_resolver()):
        wanted = {name: parts[name] for name in pattern.pattern.converters}
        found[str(pattern.name)] = reverse(str(pattern.name), kwargs=wanted)
    return found


def answers_head_otherwise(reader: Client, addresses: dict[str, str]) -> dict[str, tuple[int, int]]:
    wrong = {}
    for name, address in addresses.items():
        got = reader.get(address)
        if got.status_code == 405:
            continue
        head = reader.head(address)
        if head.status_code != got.status_code or b"".join(head) != b"":
            wrong[name] = (got.status_code, head.status_code)
    return wrong


@pytest.mark.long(1)
@pytest.mark.parametrize("name", ["fredi", None])
def test_head_is_answered_wherever_get_is(name: str | None) -> None:
    addresses = every_address()
    assert len(addresses) > 120
    assert answers_head_otherwise(client(name), addresses) == {}


def test_robots_leave_programs_and_people_alone() -> None:
    answer = client().get("/robots.txt")
    text = answer.content.decode()
    assert answer["Content-Type"].startswith("text/plain")
    assert "Disallow: /api/" in text
    assert "Disallow: /c/*/people/" in text
    assert "Sitemap: http://testserver/sitemap.xml" in text


def test_the_sitemap_lists_public_championships_and_the_rules_and_nobody() -> None:
    championship(4)
    hidden = championships.create(actor=person("fredi"), name="Geheim", slug="geheim")
    championships.edit_championship(hidden, actor=person("fredi"), public=False)

    answer = client("fredi").get("/sitemap.xml")

    found = [
        each.text or "" for each in ElementTree.fromstring(answer.content).iter() if each.tag.endswith("loc")
    ]
    paths = [url.removeprefix("http://testserver") for url in found]
    assert "/c/herbstcup/" in paths
    assert {f"/rules/{key}/" for key in VARIANTS} <= set(paths)
    assert not [path for path in paths if "geheim" in path or "people" in path]
    assert {client().get(path).status_code for path in paths} == {200}


def test_security_txt_says_where_to_write_and_until_when_it_holds(settings: Settings) -> None:
    def fields() -> list[tuple[str, str]]:
        answer = client().get("/.well-known/security.txt")
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        return re.findall(r"^([A-Za-z-]+): (.+)$", answer.content.decode(), re.MULTILINE)

    told = dict(fields())
    assert told["Contact"] == "mailto:security@testserver"
    assert told["Canonical"] == "http://testserver/.well-known/security.txt"
    expires = datetime.strptime(told["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=366)

    settings.SECURITY_CONTACT = ["info@example.org", "https://example.org/security"]
    contacts = [value for name, value in fields() if name == "Contact"]
    assert contacts == ["mailto:info@example.org", "https://example.org/security"]


def test_password_managers_and_browsers_find_their_way() -> None:
    assert client().get("/.well-known/change-password").headers["Location"] == reverse("password")
    icon = client().get("/favicon.ico")
    assert icon.status_code == 302
    assert icon.headers["Location"].endswith(".png")


@pytest.mark.parametrize(
    ("mode", "name", "reader"),
    [
        ("dealt", "table_play", "anna"),
        ("transcribed", "table_transcribe", "hanna"),
        ("sheet", "table_sheet", "hanna"),
    ],
)
def test_own_tables_say_what_they_need_where_there_are_no_scripts(mode: str, name: str, reader: str) -> None:
    one = table(opened(mode, people=4), 1)
    answer = client(reader).get(reverse(name, args=[one.game_id]))
    assert answer.status_code == 200
    assert "<noscript>" in html(answer)
