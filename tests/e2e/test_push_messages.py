"""Push messages on a phone: the button, the texts about obstacles, and the worker's messages.

A headless browser has no push service, and reports for every page that messages are denied. So permission and
subscription are simulated, on the page and in the worker; the browser itself passes messages to the real
worker as if a push service had sent them.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Worker, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e import slow_phone
from tests.e2e.slow_phone import Hall
from tests.tournaments.notices.push_service import Phone

pytestmark = pytest.mark.long

PERSON = "/c/clubabend/people/1/"
LEAVE = """
Object.defineProperty(Notification, "permission", { get: () => "granted" });
Notification.requestPermission = async () => "granted";
"""
SUBSCRIBING = """
const kept = { now: null, asked: 0, ended: 0, refuses: false, order: [] };
const { update } = ServiceWorkerRegistration.prototype;
ServiceWorkerRegistration.prototype.update = function () {
  kept.order.push("newest worker");
  return update.call(this);
};
globalThis.push = kept;
const made = (key) => ({
  endpoint: SENT.endpoint,
  options: { userVisibleOnly: true, applicationServerKey: key.buffer },
  toJSON: () => ({ endpoint: SENT.endpoint, keys: { p256dh: SENT.p256dh, auth: SENT.auth } }),
  unsubscribe: async () => { kept.now = null; kept.ended += 1; sessionStorage.clear(); return true; },
});
PushManager.prototype.getSubscription = async () => kept.now;
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  kept.asked += 1;
  kept.order.push("address");
  if (kept.refuses) throw new DOMException("push service error", "AbortError");
  sessionStorage.subscribed = [...applicationServerKey].join(); // another page of this browser has it too
  return (kept.now = made(applicationServerKey));
};
if (sessionStorage.subscribed) kept.now = made(new Uint8Array(sessionStorage.subscribed.split(",")));
"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with trees.running("serve", tmp_path_factory.mktemp("hall")) as tree:
        yield slow_phone.hall(tree)


@pytest.fixture
def phone(hall: Hall, browser: Browser) -> Iterator[Page]:
    """Nobody in particular, who lets pages send messages."""
    with browsers.fresh_page(browser, service_workers="allow", **slow_phone.PHONE) as page:
        page.add_init_script(f"const SENT = {json.dumps(Phone().sent)};\n{LEAVE}\n{SUBSCRIBING}")
        yield page


def test_nothing_is_asked_before_the_button_is_pressed_and_a_press_ends_it(hall: Hall, phone: Page) -> None:
    posted: list[str] = []
    phone.on("request", lambda asked: posted.append(asked.url) if asked.method == "POST" else None)
    phone.goto(hall.url + PERSON)
    panel = phone.locator("[data-notices]")
    expect(panel.get_by_role("button", name="Notify this phone")).to_be_visible()
    assert phone.evaluate("push.asked") == 0
    assert posted == []

    panel.get_by_role("button", name="Notify this phone").click()
    expect(panel.get_by_text("This phone gets messages.")).to_be_visible()
    expect(panel.get_by_role("button", name="Stop the messages")).to_be_focused()
    assert phone.evaluate("push.asked") == 1
    # A worker of an earlier version would show nothing of what is sent.
    assert phone.evaluate("push.order") == ["newest worker", "address"]

    panel.get_by_role("button", name="Stop the messages").click()
    expect(panel.get_by_role("button", name="Notify this phone")).to_be_focused()
    assert phone.evaluate("[push.ended, push.now]") == [1, None]
    assert {url.removeprefix(hall.url) for url in posted} == {f"{PERSON}notices/"}


def test_a_second_person_takes_no_second_address_and_the_last_end_gives_it_up(
    hall: Hall, phone: Page
) -> None:
    phone.goto(hall.url + PERSON)
    phone.get_by_role("button", name="Notify this phone").click()
    expect(phone.get_by_text("This phone gets messages.")).to_be_visible()
    phone.goto(hall.url + PERSON.replace("/1/", "/2/"))
    phone.get_by_role("button", name="Notify this phone").click()
    expect(phone.get_by_text("This phone gets messages.")).to_be_visible()
    assert phone.evaluate("push.asked") == 0

    phone.get_by_role("button", name="Stop the messages").click()
    expect(phone.get_by_role("button", name="Notify this phone")).to_be_visible()
    assert phone.evaluate("push.ended") == 0, "it is told about the other one still"
    phone.goto(hall.url + PERSON)
    expect(phone.get_by_text("This phone gets messages.")).to_be_visible()
    phone.get_by_role("button", name="Stop the messages").click()
    expect(phone.get_by_role("button", name="Notify this phone")).to_be_visible()
    assert phone.evaluate("push.ended") == 1


def test_without_the_internet_the_page_says_so(hall: Hall, phone: Page) -> None:
    phone.goto(hall.url + PERSON)
    phone.evaluate("push.refuses = true")
    phone.get_by_role("button", name="Notify this phone").click()
    expect(phone.get_by_text("The push service of this browser cannot be reached now.")).to_be_visible()
    expect(phone.get_by_role("button", name="Notify this phone")).to_be_enabled()


IPHONE = "Object.defineProperty(navigator, 'userAgent', { get: () => 'iPhone' });"
NO_PUSH = "delete window.PushManager;"


@pytest.mark.parametrize(
    ("browser_is", "said"),
    [
        ("", "does not let this page"),
        (NO_PUSH, "This browser cannot receive messages"),
        (NO_PUSH + IPHONE, "only the app on the home screen"),
        ("Object.defineProperty(window, 'isSecureContext', { get: () => false })", "begins with https"),
    ],
    ids=["denied", "unsupported", "iphone", "http"],
)
def test_what_is_in_the_way_is_said_in_words(
    hall: Hall, browser: Browser, browser_is: str, said: str
) -> None:
    with browsers.fresh_page(browser, **slow_phone.PHONE) as page:
        page.add_init_script(browser_is)
        page.goto(hall.url + PERSON)
        expect(page.locator("[data-notices]")).to_contain_text(said, use_inner_text=True)
        expect(page.get_by_role("button", name="Notify this phone")).to_be_hidden()


SHOWING = """() => {
  self.shown = [];
  self.opened = [];
  self.registration.showNotification = async (title, how) => void self.shown.push({ title, ...how });
  self.clients.openWindow = async (path) => void self.opened.push(path);
}"""
TAPPED = """async (path) => {
  const tapped = new ExtendableEvent("notificationclick");
  tapped.notification = { data: path, close: () => undefined };
  self.dispatchEvent(tapped);
}"""


def until(worker: Worker, so: str) -> None:
    worker.evaluate(f"async () => {{ while (!({so})) await new Promise((next) => setTimeout(next, 20)); }}")


def test_the_worker_shows_what_comes_and_a_tap_opens_its_page(hall: Hall, phone: Page) -> None:
    phone.goto(hall.url + PERSON)
    phone.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    devtools = phone.context.new_cdp_session(phone)
    known: list[dict[str, str]] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: known.extend(told["registrations"]))
    devtools.send("ServiceWorker.enable")
    while not known:
        phone.evaluate("() => new Promise((next) => requestAnimationFrame(next))")
    worker = phone.context.service_workers[0]
    worker.evaluate(SHOWING)

    said = {
        "v": 1,
        "title": "Round 2: table 7, seat 26",
        "body": "Anna.",
        "path": PERSON,
        "tag": "a",
        "lang": "en",
    }
    where = {"origin": hall.url, "registrationId": known[-1]["registrationId"]}
    for number, data in enumerate([json.dumps(said), "no JSON"], start=1):
        devtools.send("ServiceWorker.deliverPushMessage", {**where, "data": data})
        until(worker, f"self.shown.length === {number}")
    icon = "/static/puur/icons/icon-192.png"
    assert worker.evaluate("self.shown") == [
        {
            "title": said["title"],
            "body": "Anna.",
            "lang": "en",
            "data": PERSON,
            "icon": icon,
            "tag": "a",
            "renotify": True,
        },
        {"title": "Puur", "body": "", "lang": "", "data": "/", "icon": icon},
    ]
    assert phone.request.get(hall.url + icon).ok

    worker.evaluate(TAPPED, "/rules/")
    until(worker, "self.opened.length === 1")
    assert worker.evaluate("self.opened") == ["/rules/"]


def test_the_panel_fits_on_the_smallest_phone_in_every_language(hall: Hall, browser: Browser) -> None:
    for language in ("de", "fr", "it", "es", "en"):
        size: dict[str, Any] = {**slow_phone.PHONE, "viewport": {"width": 320, "height": 568}}
        with browsers.fresh_page(browser, locale=language, **size) as page:
            page.add_init_script(LEAVE)
            page.goto(hall.url + PERSON)
            button = page.locator("[data-notices-on]")
            expect(button).to_be_visible()
            wide = "panel => [panel.scrollWidth - panel.clientWidth, panel.getBoundingClientRect().right]"
            inside, right = page.locator("[data-notices]").evaluate(wide)
            assert (inside, right <= 320) == (0, True)
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            if language != "en":
                assert not re.search(r"\bphone\b|\bround\b", page.locator("[data-notices]").inner_text())
