"""A new version arrives while a phone has the previous worker and scripts, and unsent results.

No result is lost or sent twice, and pages opened afterwards are of the new version, also without a network.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.environment import BASE_DIR
from tests import browsers
from tests import live_tree as trees
from tests.e2e import slow_phone
from tests.e2e.test_phones import KEPT, events_of, wait_until_kept

pytestmark = pytest.mark.long
LEFT_OUT = shutil.ignore_patterns("node_modules", ".venv", ".git", "tests", "var", "docs", ".*_cache")
MARK = '\ndocument.documentElement.dataset.release = "old";\n'
CACHES = "() => caches.keys().then((names) => names.filter((name) => name.startsWith('puur-')).sort())"
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
UPDATED = """() => navigator.serviceWorker.getRegistration().then((one) => one.update())
  .then(() => new Promise((done) => {
    const look = async () => {
      const one = await navigator.serviceWorker.getRegistration();
      if (one.installing === null && one.waiting === null && one.active.state === "activated") done();
      else requestAnimationFrame(look);
    };
    look();
  }))"""


@pytest.fixture
def old_source(tmp_path: Path) -> Path:
    """The version before: other scripts, so that its worker is another one, too."""
    source = tmp_path / "old"
    shutil.copytree(BASE_DIR, source, ignore=LEFT_OUT, symlinks=True)
    os.symlink(BASE_DIR / "docs", source / "docs")
    (source / ".venv").symlink_to((BASE_DIR / ".venv").resolve())
    for script in ("sheet.js", "worker.js"):
        with (source / "frontend" / "static" / "puur" / script).open("a") as file:
            file.write(MARK if script == "sheet.js" else "\n// the one before\n")
    return source


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with browsers.fresh_page(browser, service_workers="allow", **slow_phone.PHONE) as page:
        yield page
        browsers.forgive(page, saying="net::ERR_")


def with_result(page: Page, points: str) -> None:
    page.locator(".sheet-points").first.fill(points)
    trumps = re.compile("Shields|Bells|Acorns|Roses")
    page.locator("[data-entry]").get_by_role("button", name=trumps).first.click()
    page.get_by_role("button", name="Enter the deal").click()


def forget_files(page: Page) -> None:
    """The minute for which a browser without TLS goes by its files, and five for a worker, are over."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")


def release(page: Page) -> Any:
    return page.evaluate("document.documentElement.dataset.release ?? 'new'")


def test_a_sheet_goes_on_over_a_new_version_and_what_waited_arrives_once(
    old_source: Path, tmp_path: Path, phone: Page
) -> None:
    var = tmp_path / "var"
    with trees.running("serve", var, source=old_source) as tree:
        hall = slow_phone.hall(tree)
        path, port = hall.table("sheet", "sheet/"), hall.url.rpartition(":")[2]
        slow_phone.sign_in(phone, hall.url)
        phone.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        phone.reload()
        phone.wait_for_function(CONTROLLED)
        phone.goto(hall.url + path)
        expect(phone.locator(".sheet-points").first).to_be_visible()
        wait_until_kept(phone, path)
        before = phone.evaluate(CACHES)
        assert release(phone) == "old"
        phone.context.set_offline(True)
        for points in ("100", "90"):
            with_result(phone, points)
        expect(phone.get_by_text("not sent yet")).to_have_count(2)

    with trees.running("serve", var, "--port", port) as tree:
        other = phone.context.new_page()
        other.goto(hall.url + path)
        expect(other.get_by_text("not sent yet")).to_have_count(2)
        assert release(other) == "old", "without a network the worker shows what it has"
        phone.context.set_offline(False)
        forget_files(other)
        other.reload()
        for page in (other, phone):
            expect(page.get_by_text("not sent yet")).to_have_count(0)
            expect(page.locator("[data-rows] tr")).to_have_count(2)
        assert [release(phone), release(other)] == ["old", "new"], "one window is still open from before"
        assert [event["deal"] for event in events_of(other, hall, "sheet", "result_entered")] == [1, 2]

        forget_files(other)
        other.evaluate(UPDATED)
        after = other.evaluate(CACHES)
        assert len(after) == len(before)
        assert set(after).isdisjoint(before)
        wait_until_kept(other, path)
        phone.close()
        other.context.set_offline(True)
        other.goto(hall.url + path)
        assert release(other) == "new"
        expect(other.locator("[data-rows] tr")).to_have_count(2)
        with_result(other, "80")
        expect(other.get_by_text("not sent yet")).to_have_count(1)
        other.context.set_offline(False)
        expect(other.get_by_text("not sent yet")).to_have_count(0)
        assert [event["deal"] for event in events_of(other, hall, "sheet", "result_entered")] == [1, 2, 3]
        assert all(f"{kind} " in " ".join(other.evaluate(KEPT)) for kind in ("files", "kept"))
