"""Installation on a home screen: manifest, worker, and the page without a network."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from PIL import Image

from frontend.views.site import pwa
from tests.frontend.catalogues import ROOT
from tests.frontend.evening import client, whole

FRONTEND = ROOT / "frontend"
OFFLINE_PAGES = (FRONTEND / "src" / "worker" / "offline-pages.ts").read_text(encoding="utf-8")
TOKENS = (FRONTEND / "styles" / "base" / "tokens.css").read_text(encoding="utf-8")


def test_the_manifest_names_icons_that_are_as_large_as_it_says() -> None:
    told = Client().get(reverse("manifest")).json()

    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in told["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in told["icons"]:
        with Image.open(FRONTEND / icon["src"].lstrip("/")) as picture:
            assert "x".join(map(str, picture.size)) == icon["sizes"]


def test_the_colours_of_the_manifest_are_those_of_pages() -> None:
    told = Client().get(reverse("manifest")).json()

    assert f"--table-deep: {told['theme_color']};" in TOKENS
    assert f"--page: {told['background_color']};" in TOKENS
    assert f'name="theme-color" content="{told["theme_color"]}"' in whole(Client().get(reverse("offline")))


@pytest.mark.django_db
def test_the_worker_is_the_same_for_everybody_and_is_asked_for_again_after_minutes() -> None:
    answer = Client().get(reverse("worker"))

    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == f"public, max-age={pwa.CACHE_SECONDS}"
    assert answer.content == client("anna").get(reverse("worker")).content
    assert not answer.cookies
    assert answer["Content-Security-Policy"]


def test_a_worker_is_another_one_as_soon_as_any_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pwa, "FILES", tmp_path)
    seen = set()
    for name, text in (("worker.js", "1"), ("styles.css", "a"), ("styles.css", "b"), ("more.css", "b")):
        (tmp_path / name).write_text(text)
        pwa.version.cache_clear()
        seen.add(Client().get(reverse("worker")).content)
    pwa.version.cache_clear()

    assert len(seen) == 4


@pytest.mark.django_db
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_the_page_without_a_network_knows_nobody_but_speaks_his_language(language: str) -> None:
    browser = client("anna")
    browser.cookies["django_language"] = language
    browser.cookies["puur_theme"] = "dark"
    answer = browser.get(reverse("offline"))
    html = whole(answer)

    assert answer["Content-Language"] == language
    assert f'<html lang="{language}" data-theme="auto"' in html
    assert "Anna" not in html
    assert 'name="csrf-token" content=""' in html
    assert not answer.cookies
    stranger = Client(headers={"accept-language": language}).get(reverse("offline"))
    assert stranger.content == answer.content


def test_what_the_worker_keeps_are_sheets_transcripts_and_slips() -> None:
    patterns = [re.compile(found.replace("\\/", "/")) for found in re.findall(r"/(\^.*?\$)/", OFFLINE_PAGES)]

    def is_kept(name: str, *parts: object) -> bool:
        return any(pattern.search(reverse(name, args=parts)) for pattern in patterns)

    assert is_kept("table_sheet", "7f" * 16)
    assert is_kept("table_transcribe", "7f" * 16)
    assert is_kept("round_slip", "herbstcup", 2, 17)
    assert not is_kept("table_play", "7f" * 16)
    assert not is_kept("round_codes", "herbstcup", 2)
    assert not is_kept("home")


def test_what_makes_a_device_forget_are_the_addresses_where_somebody_comes_or_goes() -> None:
    listed = re.search(r"ANOTHER_PERSON = \[(.*?)\]", OFFLINE_PAGES)
    assert listed is not None

    found = set(re.findall(r'"([^"]+)"', listed[1]))

    assert found == {reverse(name) for name in ("sign_in", "sign_out", "password", "open_table")}
