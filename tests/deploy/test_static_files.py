"""Static files where they lie, and pages that keep to the content policy."""

import gzip
from pathlib import Path

import httpx
import pytest
from django.test import Client, RequestFactory
from playwright.sync_api import Page
from whitenoise.responders import StaticFile

from deploy.static_files import StaticFiles
from tests.live_tree import LiveTree

STYLE = "/static/deploy/api-docs.css"
SCRIPT = "/static/puur/base.js"


def test_a_file_is_sent_whole_and_may_be_kept_for_a_minute(client: Client) -> None:
    answer = client.get(STYLE)
    assert answer.status_code == 200
    assert not answer.streaming
    assert answer["Content-Type"].startswith("text/css")
    assert "max-age=60" in answer["Cache-Control"]
    assert b"box-sizing" in answer.content
    assert int(answer["Content-Length"]) == len(answer.content)


def test_a_file_that_is_known_is_not_sent_again(client: Client) -> None:
    known = client.get(STYLE)["Last-Modified"]
    answer = client.get(STYLE, headers={"if-modified-since": known})
    assert (answer.status_code, answer.content) == (304, b"")


def test_a_part_of_a_file_is_sent_where_a_part_is_asked_for(client: Client) -> None:
    answer = client.get(STYLE, headers={"range": "bytes=0-3"})
    assert (answer.status_code, answer.content) == (206, b"html")


def test_what_is_text_is_compressed_for_whoever_takes_it_so(client: Client) -> None:
    plain = client.get(SCRIPT)
    small = client.get(SCRIPT, headers={"accept-encoding": "br, gzip"})
    assert (plain["Vary"], small["Vary"]) == ("Accept-Encoding", "Accept-Encoding")
    assert "Content-Encoding" not in plain
    assert small["Content-Encoding"] == "gzip"
    assert int(small["Content-Length"]) == len(small.content) < len(plain.content)
    assert gzip.decompress(small.content) == plain.content


@pytest.mark.parametrize("name", ["puur/fonts/hanken-grotesk.woff2", "deploy/api-docs.css"])
def test_what_would_not_become_smaller_is_sent_as_it_is(client: Client, name: str) -> None:
    answer = client.get(f"/static/{name}", headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer


def test_a_part_and_a_file_that_is_known_are_not_compressed(client: Client) -> None:
    takes = {"accept-encoding": "gzip"}
    part = client.get(SCRIPT, headers=takes | {"range": "bytes=0-3"})
    assert (part.status_code, len(part.content)) == (206, 4)
    known = client.get(SCRIPT)["Last-Modified"]
    assert client.get(SCRIPT, headers=takes | {"if-modified-since": known}).status_code == 304


def test_a_file_cannot_be_posted_to(client: Client) -> None:
    assert client.post(STYLE).status_code == 405


def test_a_file_that_an_update_has_changed_is_sent_whole_as_it_is_now(
    tmp_path: Path, rf: RequestFactory
) -> None:
    path = tmp_path / "base.css"
    path.write_text("html {}")
    known = StaticFile(str(path), [])
    path.write_text("html { color: black }")
    answer = StaticFiles.serve(known, rf.get("/base.css"))
    assert answer.content == b"html { color: black }"
    assert int(answer["Content-Length"]) == len(answer.content)
    assert "ETag" not in answer


@pytest.mark.slow
@pytest.mark.browser
def test_the_description_of_the_api_opens_in_a_browser_without_an_error(
    live_tree: LiveTree, page: Page
) -> None:
    page.goto(f"{live_tree.url}/api/docs/")
    page.get_by_text("/api/v1/games/{game_id}/commands/").first.wait_for()
    assert httpx.get(f"{live_tree.url}{STYLE}", timeout=30).status_code == 200
    assert "Warning" not in (live_tree.var / "log" / "web.log").read_text()
