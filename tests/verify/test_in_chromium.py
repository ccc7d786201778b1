"""The verifier's page and the page of a round's cards in a browser, under their own content security policy.

Pages are made by the views and then served from memory: what the browser does needs nothing of the platform.
"""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from deploy.environment import BASE_DIR
from games.models import Game
from tests import browsers
from tests.verify import evening as evenings
from tests.verify.evening import Evening
from tests.verify.mutations import unzipped, zipped

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
STATIC = BASE_DIR / "frontend" / "static"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
Site = dict[str, tuple[dict[str, str], bytes]]


@contextlib.contextmanager
def served(site: Site) -> Iterator[str]:
    """These answers and the static files, on a free port of this machine."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            file = STATIC / path.removeprefix("/static/")
            if path in site:
                headers, body = site[path]
            elif path.startswith("/static/") and ".." not in path and file.is_file():
                headers, body = {"Content-Type": TYPES.get(file.suffix, "font/woff2")}, file.read_bytes()
            else:
                self.send_error(404)
                return
            self.send_response(200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def answers(*addresses: str) -> Site:
    """What the platform answers there, to nobody in particular."""
    client = Client(headers={"accept-language": "en"})
    site: Site = {}
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        kept = {n: v for n, v in answer.headers.items() if n in ("Content-Type", "Content-Security-Policy")}
        site[address] = kept, answer.content
    return site


@contextlib.contextmanager
def opened(site: Site, address: str) -> Iterator[Page]:
    with served(site) as url, browsers.chromium() as browser, browsers.fresh_page(browser) as page:
        page.goto(url + address)
        yield page


def test_the_page_verifies_without_network_and_tells_a_forgery(evening: Evening, tmp_path: Path) -> None:
    good, forged = tmp_path / "good.zip", tmp_path / "forged.zip"
    good.write_bytes(evening.public)
    files = unzipped(evening.public)
    name = max((n for n in files if n.startswith("streams/")), key=lambda n: len(files[n]))
    forged.write_bytes(zipped({**files, name: files[name].replace(b'\\"seat\\":1', b'\\"seat\\":0', 1)}))
    site = answers("/verify/")
    with opened(site, "/verify/") as page:
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        verdict = page.locator("[data-verdict]")

        def verify(file: Path, words: str) -> None:
            page.set_input_files("#file", file)
            page.fill("#words-typed", words)
            page.get_by_role("button", name="Verify", exact=True).click()

        verify(good, evening.words[0])
        expect(verdict.locator(".message.success")).to_contain_text("this is the record of your sheet")
        expect(verdict).to_contain_text("Deals dealt again: 3")
        verify(forged, evening.words[0])
        expect(verdict.locator(".message.error")).to_contain_text(f"{name}: is not what was exported")
        verify(good, evening.words[0].replace(" ", " x", 1))
        expect(verdict.locator(".message.error")).to_contain_text("check it")
        verify(good, "")
        expect(verdict.locator(".message.success")).to_contain_text("Compare the words")


def test_every_deck_is_dealt_again_and_a_forged_one_is_shown_beside_what_it_should_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 4_000)
    first = evenings.build().rounds.get(number=1)
    games = Game.objects.filter(tournament_table__round=first, mode="dealt").order_by("number")
    page_of = "/c/herbstcup/rounds/1/fairness/"
    logs = [f"/api/v1/games/{game.pk}/log/" for game in games]
    site = answers(page_of, *logs)
    headers, log = site[logs[1]]
    hands = [at for at in range(len(log)) if log.startswith(b'"cards":["', at)][:2]
    one, other = (log[at + 10 : log.index(b'"', at + 10)] for at in hands)
    swapped = log.replace(b'"cards":["' + one, b'"cards":["' + b"?", 1)
    swapped = swapped.replace(b'"cards":["' + other, b'"cards":["' + one, 1)
    site[logs[1]] = headers, swapped.replace(b'"cards":["?', b'"cards":["' + other, 1)
    with opened(site, page_of) as page:
        tables = page.locator("[data-tables]")
        expect(tables).to_have_attribute("data-done", "")
        promises = page.locator("[data-promises] li")
        expect(promises).to_have_count(5)  # the seed, a draw, two forehands, nothing too late
        expect(promises.locator(".pill.danger")).to_have_count(0)
        right, wrong = tables.locator("> li").all()
        expect(right.locator("h3 .pill")).to_have_text("correct")
        expect(wrong.locator("h3 .pill")).to_have_text("wrong")
        right.locator("summary").first.click()
        expect(right.locator(".card-face")).to_have_count(36)
        wrong.locator("summary").first.click()
        expect(wrong.locator(".card-face")).to_have_count(72)
        expect(wrong).to_contain_text("These cards follow from the published number")
