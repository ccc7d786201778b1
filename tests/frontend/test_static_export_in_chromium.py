"""The copy of a championship opened from a folder, by a browser without a network."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from games import sealing
from tests import browsers
from tests.e2e import axe
from tests.frontend import evening, test_static_export
from tests.verify.mutations import unzipped, zipped
from tournaments import jobs
from tournaments.archive import storing
from tournaments.models import PublicFile
from tournaments.services.championships import championships

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.slow]
SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "small": {"viewport": {"width": 320, "height": 568}},
}


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """An unpacked copy, beside it a forged file."""
    settings.SEAL_KEY = tmp_path / "seal_key"
    settings.VAR_DIR = tmp_path
    sealing.make_seal_key(settings.SEAL_KEY)
    made = test_static_export.played(place="Bären, Ins", language="de")
    championships.finish(made, actor=evening.person("fredi"))
    assert jobs.run(jobs.start_copy_job(made, actor=evening.person("fredi")).pk)
    copy = storing.current_file(made, PublicFile.Kind.COPY)
    assert copy is not None
    packed = tmp_path / "packed.zip"
    packed.write_bytes(b"".join(storing.read_pieces(copy)))
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path)
    files = unzipped((tmp_path / "herbstcup" / "herbstcup.zip").read_bytes())
    name = max((n for n in files if n.startswith("streams/")), key=lambda n: len(files[n]))
    forged = zipped({**files, name: files[name].replace(b'\\"seat\\":1', b'\\"seat\\":0', 1)})
    (tmp_path / "forged.zip").write_bytes(forged)
    last = sealing.find_latest_checkpoint(made.stream_id)
    assert last is not None
    (tmp_path / "words").write_text(" ".join(sealing.in_words(last.hash)))
    return tmp_path


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def tab(page: Page, file: str) -> None:
    page.locator(f".tabs a[href$='{file}']").click()


def walk(page: Page, folder: Path) -> None:
    """From the ranking over round, table and deal to a person and back, then to the page that verifies."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "herbstcup" / "index.html").as_uri())
    expect(page.locator("h1")).to_have_text("Herbstcup")
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px Vollkorn'))")

    def look() -> None:
        page.wait_for_load_state("load")  # without its style sheets a page is wider
        page.evaluate("document.fonts.ready.then(() => true)")
        assert fits(page), page.url
        assert axe.findings(page) == [], page.url
        browsers.forgive(page, "Connecting to 'file:")  # axe reads our style sheets

    look()
    tab(page, "ranking-1.html")
    expect(page.locator("table.standings tbody tr")).to_have_count(8)
    look()
    tab(page, "rounds.html")
    page.locator("main a[href='round-1.html']").click()
    look()
    page.locator(".round-rows .tile").first.click(position={"x": 4, "y": 4})  # all of it leads there
    expect(page.locator(".paper-tricks tbody tr")).to_have_count(9)
    pip = page.locator(".paper-tricks .suit-pip").first.evaluate("svg => svg.getBBox().width")
    assert pip > 0, "the drawing is on the page"
    look()
    page.go_back()
    page.locator(".seat-list a").first.click()
    expect(page.locator(".persons-rounds")).to_be_visible()
    look()
    tab(page, "regulations.html")
    look()
    tab(page, "verify.html")
    look()
    assert all(url.startswith("file://") for url in asked)


def verify(page: Page, file: Path, words: str) -> None:
    page.set_input_files("#file", file)
    page.fill("#words-typed", words)
    page.locator("[data-verify] button").click()


@pytest.mark.long
def test_it_is_walked_through_and_verifies_from_a_folder_without_a_network(folder: Path) -> None:
    words = (folder / "words").read_text()
    with browsers.chromium() as browser:
        for size in SIZES.values():
            with browsers.fresh_page(browser, **size) as page:
                page.context.set_offline(True)
                walk(page, folder)
                verdict = page.locator("[data-verdict]")
                verify(page, folder / "herbstcup" / "herbstcup.zip", words)
                expect(verdict.locator(".message.success")).to_be_visible(timeout=60_000)
                verify(page, folder / "forged.zip", words)
                expect(verdict.locator(".message.error")).to_be_visible(timeout=60_000)
                expect(verdict.locator(".message.success")).to_have_count(0)
                assert fits(page)
