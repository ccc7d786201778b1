"""Every page has a matching help panel: short, in both languages, naming only existing controls."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, get_resolver, reverse
from django.utils import translation

from frontend import championship_urls, urls
from frontend.help.pages import PANELS, SAME_PAGE, panel_of
from frontend.help.panels import NAMED, Panel
from frontend.presenters.site.manuals import MANUALS
from frontend.templatetags.puur import help_panel
from tests.frontend.catalogues import ROOT, Message, in_catalogue, in_python, in_sources
from tests.frontend.evening import client, opened, table, whole, work
from tests.frontend.pages import addresses, parts_of

PO = ROOT / "frontend" / "locale" / "de" / "LC_MESSAGES" / "django.po"
ON_THE_WALL = {"projector", "prizes_projector", "tables_projector", "seating_projector", "queue_projector"}
"""Pages for a beamer: nobody asks there."""
FOR_DEVELOPERS = {"styleguide"}
FRAMES = {"embedded_table", "overlay_of", "overlay_table"}
"""In pages and pictures of others, which say themselves what they are."""
PLACE = re.compile(r"%\(\w+\)[sd]")


def of_panels() -> set[Message]:
    return {m for path in (ROOT / "frontend/help").glob("*.py") for m in in_python(path.read_text("utf-8"))}


@pytest.fixture(scope="module")
def called() -> dict[str, list[str]]:
    """What stands on pages → its German; help itself is no page."""
    known = in_catalogue(PO)
    found: dict[str, list[str]] = {}
    for message in in_sources() - of_panels():
        for text in filter(None, message[1:]):
            found.setdefault(text, []).extend(known.get(message, []))
    return found


def sentences(panel: Panel) -> Iterator[str]:
    for sentence in (*panel.sentences, *panel.officials):
        yield str(sentence)


@cache
def pattern(text: str) -> re.Pattern[str]:
    """`Round %(n)s` is also `Round 1`."""
    return re.compile(r"\w+".join(re.escape(part) for part in PLACE.split(text)))


def test_a_panel_names_only_what_is_called_so_on_the_pages(
    called: dict[str, list[str]], subtests: pytest.Subtests
) -> None:
    for name in PANELS:
        with subtests.test(name=name):
            for english in map(str, (*PANELS[name].sentences, *PANELS[name].officials)):
                with translation.override("de"):
                    german = translation.gettext(english)
                meant = [
                    {
                        wanted
                        for text, wanted_in in called.items()
                        if pattern(text).fullmatch(named)
                        for wanted in wanted_in
                    }
                    for named in NAMED.findall(english)
                ]
                assert all(meant), english
                named_so = NAMED.findall(german)
                assert len(named_so) == len(meant), german
                for word in named_so:
                    assert any(pattern(text).fullmatch(word) for wanted in meant for text in wanted), (
                        word,
                        meant,
                    )


def test_a_panel_is_three_to_six_short_sentences(subtests: pytest.Subtests) -> None:
    for name in PANELS:
        with subtests.test(name=name):
            panel = PANELS[name]
            for official in (False, True):
                assert 3 <= len(panel.said_to(official=official)) <= 6
            assert all(len(str(sentence)) <= 130 for sentence in sentences(panel))
            assert panel.manual in MANUALS


@pytest.mark.django_db
@pytest.mark.long(1)
@pytest.mark.parametrize("role", [None, "anna", "hanna", "gabi", "fredi"])
def test_every_page_has_its_help(role: str | None) -> None:
    pages = addresses(parts_of(table(opened("sheet", people=8), 1)))
    work()
    browser = client(role)
    lacking = []
    for name, address in pages.items():
        answer = browser.get(address)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        if "<header" in (page := whole(answer)) and 'id="help"' not in page:
            lacking.append(name)
    assert set(lacking) - ON_THE_WALL - FRAMES <= FOR_DEVELOPERS


def test_every_panel_belongs_to_an_address() -> None:
    names = {
        pattern.name
        for pattern in (*urls.urlpatterns, *championship_urls.urlpatterns)
        if isinstance(pattern, URLPattern)
    }
    assert set(PANELS) | set(SAME_PAGE) <= names
    assert not set(PANELS) & set(SAME_PAGE)
    assert all(panel_of(name) for name in SAME_PAGE)


@pytest.mark.django_db
def test_who_holds_an_office_reads_what_he_can_do() -> None:
    made = table(opened("sheet", people=8), 1).round.championship
    address = reverse("round", args=[made.slug, 1])
    assert "<strong>Type the results</strong>" in whole(client("fredi").get(address))
    assert "<strong>Type the results</strong>" not in whole(client("anna").get(address))


@pytest.mark.django_db
def test_help_asks_the_database_nothing() -> None:
    class Request:
        resolver_match = get_resolver().resolve("/")

    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert help_panel({"request": Request(), "may_board": True})["sentences"]
    assert len(asked) == 0
