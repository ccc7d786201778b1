"""A table in a real browser: played by touch and key, watched, transcribed, replayed, signed."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests import browsers
from tests.e2e.axe import findings
from tests.e2e.conftest import Place


def test_anna_plays_a_deal_with_the_keyboard_and_the_others_follow(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("played", "play/"))
    expect(page.locator(".hand-card")).to_have_count(9)
    mine = page.locator(".choice, .hand-card.legal").first
    expect(mine).to_be_visible()
    if page.locator(".choice").count():
        page.locator(".choice").first.press("Enter")
    for left in range(9, 6, -1):
        lit = page.locator(".hand-card.legal").first
        expect(lit).to_be_visible()
        expect(page.locator(".hand-card")).to_have_count(left)
        place_in_hand = page.locator(".hand-card").evaluate_all(
            "cards => cards.findIndex(card => card.classList.contains('legal')) + 1"
        )
        page.keyboard.press(str(place_in_hand))
        expect(lit).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".hand-card")).to_have_count(left - 1)


def test_a_dark_card_says_why_it_cannot_be_played(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("played", "play/"))
    for _ in range(9):
        expect(page.locator(".hand-card.legal, .choice").first).to_be_visible()
        if page.locator(".choice").count():
            page.locator(".choice").first.click()
            expect(page.locator(".choice")).to_have_count(0)
            continue
        dark = page.locator(".hand-card.dim")
        if dark.count():
            reason = expect(page.locator(".table-status"))
            dark.first.click(force=True, position={"x": 12, "y": 40})
            try:
                reason.to_have_class(re.compile("reason"), timeout=10_000)
            except AssertionError:  # a card that was played meanwhile took the reason away, or the tap
                dark.first.click(force=True, position={"x": 12, "y": 40})
                reason.to_have_class(re.compile("reason"))
            return
        before = page.locator(".hand-card").count()
        # A hand that has just changed ignores taps for a moment, and bots can be faster than that.
        card = page.locator("[data-hand]:not([data-settling]) .hand-card.legal").first
        card.click(position={"x": 12, "y": 40})
        try:
            expect(page.locator(".hand-card")).not_to_have_count(before, timeout=10_000)
        except AssertionError:  # the hand changed between the look and the tap
            card.click(position={"x": 12, "y": 40})
            expect(page.locator(".hand-card")).not_to_have_count(before)
    pytest.fail("in nine tricks no card was ever dark")


def test_a_card_lies_on_the_table_once_it_is_tapped_and_comes_back_where_it_is_refused(
    place: Place, page: Page
) -> None:
    sent: list[tuple[WebSocketRoute, str]] = []

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def said(message: str | bytes) -> None:
            if '"cmd":"play"' in str(message):
                sent.append((line, str(message)))
            else:
                server.send(message)

        line.on_message(said)

    page.route_web_socket(re.compile("/ws/games/"), between)
    place.sign_in(page)
    page.goto(place.address("tapped", "play/"))
    expect(page.locator(".hand-card.legal, .choice").first).to_be_visible()
    if page.locator(".choice").count():
        page.locator(".choice").first.click()
    card = page.locator(".hand-card.legal").first
    name = card.get_attribute("data-card") or ""
    card.press("Enter")

    expect(page.locator(f".trick-card.sent[data-card={name}]")).to_have_count(1)
    expect(page.locator(f".hand-card[data-card={name}]")).to_have_count(0)
    expect(page.locator(".hand-card.legal")).to_have_count(0)
    [(line, message)] = sent
    refusal = {"kind": "error", "command_id": json.loads(message)["command_id"], "code": "live/try_again"}
    line.send(json.dumps({**refusal, "detail": "", "params": {}}))

    expect(page.locator(f".hand-card.legal[data-card={name}]")).to_have_count(1)
    expect(page.locator(".trick-card.sent")).to_have_count(0)
    expect(page.locator(".table-status")).to_have_class(re.compile("reason"))


def test_a_spectator_sees_cards_fall_without_touching_anything(place: Place, page: Page) -> None:
    page.goto(place.address("watched"))

    expect(page.locator(".trick-card").first).to_be_visible()
    seen = page.locator("[data-log] li").last.inner_text()
    expect(page.locator("[data-log] li").last).not_to_have_text(seen)
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
    expect(page.locator(".slate-side")).to_have_count(2)


def test_who_watches_goes_back_while_it_is_played_and_returns_to_what_goes_on(
    place: Place, page: Page
) -> None:
    page.goto(place.address("watched"))
    cloth, live = page.locator("[data-cloth]"), page.get_by_role("button", name="Live", exact=True)
    expect(page.locator(".trick-card").first).to_be_visible()
    for key in ("Home", "PageUp", "ArrowUp", " "):
        page.keyboard.press(key)  # they scroll
    expect(live).to_be_hidden()

    page.keyboard.press("ArrowLeft")
    expect(live).to_be_visible()
    shown = cloth.get_attribute("data-seq") or ""
    seen = page.locator("[data-log] li").last.inner_text()
    expect(page.locator("[data-log] li").last).not_to_have_text(seen)
    expect(cloth).to_have_attribute("data-seq", shown)

    live.click()
    expect(live).to_be_hidden()
    expect(cloth).not_to_have_attribute("data-seq", shown)


def test_the_deals_of_a_score_sheet_are_tabs_under_it_and_each_shows_the_slate_of_then(
    place: Place, page: Page
) -> None:
    page.goto(place.address("noted"))
    tabs, live = page.locator(".timeline-deal"), page.get_by_role("button", name="Live", exact=True)
    totals = page.locator(".table-surface .slate-total")
    expect(tabs).to_have_text(["1", "2", "3"])
    now = totals.all_inner_texts()
    expect(live).to_be_hidden()

    tabs.first.click()
    expect(live).to_be_visible()
    expect(tabs.first).to_have_attribute("aria-current", "true")
    expect(totals).to_have_text(["100", "57"])
    page.keyboard.press("PageDown")
    expect(page.get_by_role("button", name="Next trick")).to_be_hidden()
    page.get_by_role("button", name="Next deal").click()
    expect(totals).to_have_text(["160", "154"])

    live.click()
    expect(live).to_be_hidden()
    expect(totals).to_have_text(now)


@pytest.mark.parametrize("path", ["", "replay/"])
def test_a_table_is_seen_from_any_seat_live_as_well_as_looking_back(
    place: Place, page: Page, path: str
) -> None:
    page.goto(place.address("written", path))
    near, away = page.locator(".spot[data-at=bottom]"), page.locator(".spot[data-seat='2']")
    expect(near).to_have_attribute("data-seat", "0")
    page.locator(".stage-menu > summary").click()
    page.get_by_label("Seen from").select_option("2")
    expect(near).to_have_attribute("data-seat", "2")
    expect(away).to_have_attribute("data-at", "bottom")
    page.keyboard.press("Escape")
    page.locator("body").press("ArrowLeft")
    expect(near).to_have_attribute("data-seat", "2")


def test_both_decks_can_be_had_and_the_choice_is_remembered(place: Place, page: Page) -> None:
    page.goto(place.address("watched"))
    expect(page.locator(".trick-card use").first).to_have_attribute("href", re.compile("ch"))

    page.locator("details.menu:not(.help) summary").first.click()
    page.get_by_role("button", name="French").click()

    expect(page.locator(".trick-card use").first).to_have_attribute("href", re.compile("#fr-"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-deck", "fr")


def test_a_sheet_is_typed_corrected_and_confirmed_as_signed_on_paper(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("sheet", "sheet/"))
    first, second = page.locator("[data-points='0']"), page.locator("[data-points='1']")

    first.fill("87")
    expect(second).to_have_value("70")
    second.fill("71")
    expect(page.locator("[data-sum]")).to_have_class(re.compile("wrong"))
    expect(page.locator("[data-sum]")).to_contain_text("Deal 1: 1 too much, together 158")
    page.locator("[data-save]").click()
    expect(page.locator("[data-rows] tr")).to_have_count(0)
    second.fill("70")
    page.locator("[data-stoeck='0']").click()
    page.locator("[data-signed]").uncheck()
    page.locator("[data-save]").click()

    row = page.locator("[data-rows] tr").first
    expect(row).to_contain_text("107")
    expect(row).to_contain_text("to be confirmed")
    row.get_by_role("button", name="Everybody has signed on paper").click()
    expect(row.locator(".pill")).to_have_text("confirmed")


def test_what_is_typed_without_a_network_is_sent_once_when_it_is_back(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("sheet", "sheet/"))
    expect(page.locator("[data-entry]")).to_be_visible()
    rows = page.locator("[data-rows] tr")
    before = rows.count()

    page.context.set_offline(True)
    page.locator("[data-sweep='1']").click()
    page.locator("[data-save]").click()
    expect(page.get_by_text("not sent yet")).to_be_visible()
    page.context.set_offline(False)

    expect(page.get_by_text("not sent yet")).to_have_count(0)
    expect(rows).to_have_count(before + 1)
    expect(rows.last).to_contain_text("257")
    browsers.forgive(page)


def test_a_card_written_down_can_be_taken_back_for_a_moment_and_a_revoke_is_marked(
    place: Place, page: Page
) -> None:
    place.sign_in(page)
    page.goto(place.address("written", "transcribe/"))
    picker = page.locator("[data-picker]")
    expect(picker.get_by_label("ace of bells", exact=True)).to_be_disabled()

    picker.get_by_label("king of bells", exact=True).click()
    page.get_by_role("button", name="Take back").click()
    expect(picker.get_by_label("king of bells", exact=True)).to_be_enabled()

    picker.get_by_label("ober of shields", exact=True).click()

    expect(page.locator("[data-log]")).to_contain_text("revoked in trick 2")


def test_cards_tapped_in_a_hurry_each_go_to_the_next_player(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("hurried", "transcribe/"))
    picker = page.locator("[data-picker]")
    expect(picker.get_by_label("king of shields", exact=True)).to_be_enabled()

    for card in ("king of shields", "six of shields", "six of roses", "seven of acorns", "eight of acorns"):
        picker.get_by_label(card, exact=True).click()

    log = page.locator("[data-log]")
    expect(log).to_contain_text("seven of acorns")
    played = [line for line in log.locator("li").all_inner_texts() if " plays " in line]
    assert [line.split(" plays ")[1].rstrip(".") for line in played[:4]] == [
        "king of shields",
        "six of shields",
        "six of roses",
        "seven of acorns",
    ]
    assert len({line.split(" plays ")[0] for line in played[:4]}) == 4
    expect(page.locator("[data-notice]")).to_be_hidden()


def test_a_replay_goes_by_keys_and_links_to_each_moment(place: Place, page: Page) -> None:
    page.goto(place.address("written", "replay/") + "#seq=7")
    status = page.locator(".table-status")
    expect(status).to_contain_text("plays")
    at_first = status.inner_text()

    page.keyboard.press("ArrowRight")
    expect(status).not_to_have_text(at_first)
    expect(page).to_have_url(re.compile(r"#seq=8$"))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"#seq=0$"))
    page.keyboard.press("PageDown")
    expect(status).to_contain_text("takes the trick")
    expect(page.locator("[data-position]")).to_have_text(re.compile(r"^Deal 1, trick 1\b"))
    expect(page.locator(".timeline-trick[aria-current=step]")).to_have_count(1)
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-position]")).to_have_text(re.compile(r"^Deal 1, trick 2\b"))
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-position]")).to_have_text(re.compile(r"^Deal 1, trick 1\b"))
    page.locator(".stage-menu > summary").click()
    page.get_by_label("Seen from").select_option(index=1)
    expect(page.locator('.spot[data-seat="1"]')).to_have_attribute("data-at", "bottom")


@pytest.mark.long(3)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("table", "path"),
    [
        ("played", "play/"),
        ("watched", ""),
        ("sheet", "sheet/"),
        ("written", "transcribe/"),
        ("written", "replay/"),
    ],
)
def test_pages_of_a_table_pass_the_rules_of_accessibility(
    place: Place, browser: Browser, table: str, path: str, theme: str
) -> None:
    with browsers.fresh_page(browser, color_scheme=theme, viewport={"width": 390, "height": 800}) as page:
        place.sign_in(page)
        page.goto(place.address(table, path))
        expect(page.locator(".slate-side").first).to_be_attached()
        found = findings(page)
    assert found == []


@pytest.mark.parametrize(
    ("table", "path", "tool"),
    [("played", "play/", "Rules"), ("watched", "", "Replay"), ("written", "transcribe/", "Replay")],
)
def test_the_table_begins_near_the_top_of_a_phone_and_its_tools_open_by_keyboard_without_scripts(
    place: Place, browser: Browser, table: str, path: str, tool: str
) -> None:
    phone: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "java_script_enabled": False,
    }
    with browsers.fresh_page(browser, **phone) as page:
        place.sign_in(page)
        page.goto(place.address(table, path))
        cloth = page.locator(".table-surface").bounding_box()
        assert cloth is not None
        assert cloth["y"] <= 100
        head = page.locator(".table-head, .rail")
        link = head.get_by_role("link", name=tool)
        expect(link).to_be_hidden()
        head.locator("details.menu summary").first.press("Enter")
        expect(link).to_be_visible()
        box = link.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390


def test_nothing_is_wider_than_a_phone(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        place.sign_in(page)
        for table, path in [
            ("played", "play/"),
            ("watched", ""),
            ("sheet", "sheet/"),
            ("written", "transcribe/"),
        ]:
            page.goto(place.address(table, path))
            expect(page.locator(".slate-side").first).to_be_attached()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, (table, path)


def test_a_guest_finds_the_way_in_on_the_narrowest_phone(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, "de-CH", viewport={"width": 320, "height": 640}) as page:
        page.goto(place.address("watched"))
        page.locator(".stage-menu > summary").click()
        page.get_by_role("link", name="Einloggen").scroll_into_view_if_needed()
        expect(page.get_by_role("link", name="Einloggen")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_guest_comes_from_one_table_to_the_next_and_back_from_the_first_page(
    place: Place, browser: Browser
) -> None:
    """The table before is gone, its line with it, before the answer has come that leads to the new one."""
    with browsers.fresh_page(browser, "de-CH", viewport={"width": 390, "height": 844}) as page:
        page.goto(place.url)
        page.get_by_role("button", name="Jetzt spielen").click()
        for _ in range(3):
            expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
            before = page.url
            page.locator(".stage-menu > summary").click()
            page.get_by_role("button", name="Neuer Tisch").click()
            expect(page).not_to_have_url(before)
            expect(page.locator(".spot").first).to_be_visible()
        here = page.url
        page.goto(place.url)
        page.get_by_role("link", name="Zurück an deinen Tisch").click()
        expect(page.locator(".spot").first).to_be_visible()
        assert page.url == here


def test_a_guest_is_told_what_a_bot_would_do(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, "de-CH", viewport={"width": 390, "height": 844}) as page:
        page.goto(place.url)
        page.select_option("#play-now", "differenzler")
        page.get_by_role("button", name="Jetzt spielen").click()
        page.get_by_role("button", name="Tipp").click()
        expect(page.locator(".table-surface [role=status]").first).to_contain_text("Tipp: ")


@pytest.mark.parametrize("size", [(240, 240), (300, 200)])
def test_a_small_frame_is_for_the_table(place: Place, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(place.address("watched").replace("/g/", "/embed/g/"))
    expect(page.locator(".spot")).to_have_count(4)
    felt = page.locator(".table-board").bounding_box()
    assert felt is not None
    assert felt["height"] >= size[1] / 2


def test_an_overlay_is_as_large_as_its_picture(place: Place, page: Page) -> None:
    sizes = []
    for width, height in ((800, 600), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(place.address("watched").replace("/g/", "/overlay/g/"))
        expect(page.locator(".spot")).to_have_count(4)
        expect(page.locator(".spot-name").first).to_be_visible()
        # A live update draws the names anew; until it has, they have no height.
        drawn = page.wait_for_function("document.querySelector('.spot-name')?.offsetHeight")
        sizes.append(drawn.json_value())
        assert page.evaluate("document.documentElement.scrollHeight") == height
        cloth = page.locator(".table-surface").bounding_box()
        assert cloth is not None
        assert round(cloth["y"] + cloth["height"]) == height
    assert sizes[1] >= 2 * sizes[0]


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (667, 375)])
def test_a_phone_reads_what_is_still_to_be_won_and_who_is_ahead(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    width, height = size
    with browsers.fresh_page(browser, viewport={"width": width, "height": height}, has_touch=True) as page:
        page.goto(place.address("written", "replay/") + "#seq=7")
        expect(page.locator(".table-status")).to_contain_text("plays")
        page.keyboard.press("PageDown")
        said = page.locator("[data-said]")
        expect(said).to_contain_text(re.compile(r"[Ss]till to be won: \d+ · .* ahead by \d+"))
        expect(said).to_be_in_viewport(ratio=1)
        assert said.evaluate("said => said.scrollHeight <= said.clientHeight + 1")


def test_the_rules_of_the_game_one_chooses_stand_beside_it(place: Place, page: Page) -> None:
    page.goto(place.url)
    page.select_option("#play-now", "differenzler")
    link = page.locator(".play-now").get_by_role("link", name="Rules")
    expect(link).to_have_attribute("href", "/rules/differenzler/")


WINDOWS = [(320, 568), (390, 844), (568, 320), (667, 375), (844, 390), (1440, 900), (1920, 1080)]
LAID = """() => {
    const box = name => document.querySelector(name).getBoundingClientRect();
    const cloth = box(".table-surface"), timeline = box(".timeline"), rail = box(".rail");
    const {scrollWidth, scrollHeight} = document.documentElement;
    return {
        below: timeline.bottom <= innerHeight + 1 && timeline.top >= cloth.bottom - 1,
        apart: rail.bottom <= cloth.top + 1 || rail.right <= cloth.left + 1,
        filled: cloth.width + (rail.right <= cloth.left + 1 ? rail.width : 0) >= innerWidth - 1,
        scrolls: scrollWidth > innerWidth || scrollHeight > innerHeight,
    };
}"""


@pytest.mark.parametrize(("table", "path"), [("watched", ""), ("written", "replay/")])
def test_cloth_and_timeline_fill_the_window_and_nothing_scrolls(
    place: Place, page: Page, table: str, path: str
) -> None:
    page.goto(place.address(table, path))
    expect(page.locator(".spot")).to_have_count(4)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        laid = page.evaluate(LAID)
        assert laid == {"below": True, "apart": True, "filled": True, "scrolls": False}, (width, height)


STRETCHED = """() => {
    const names = ["Tschümperlin", "Rüegsegger-Aebischer", "Annemarie Wüthrich-Brönnimann", "Zwicky"];
    const made = (parent, className) =>
        parent.appendChild(Object.assign(document.createElement("div"), {className}));
    document.querySelectorAll(".spot").forEach((spot, seat) => {
        spot.querySelector(".spot-name").textContent = names[seat];
        for (const word of ["00:29", "forehand", "predicts 157", "Slalom, from the bottom"])
            made(spot.querySelector(".spot-notes"), "tag strong").textContent = word;
    });
    for (const side of ["left", "right", "top", "bottom"]) {
        const card = made(document.querySelector(".trick"), "trick-card");
        card.dataset.at = side;
        made(card, "turned").style.aspectRatio = "100 / 156";
        card.firstChild.style.width = "100%";
    }
    const told = element => `${element.className} ${element.dataset.at ?? ""} ${element.textContent}`;
    const beyond = ({left, right}) => left < 0 || right > innerWidth;
    const boxes = [...document.querySelectorAll(".spot *:not(use), .heap, .trick-card, .trick-card > div")];
    return boxes.filter(element => beyond(element.getBoundingClientRect())).map(told);
}"""
"""Long names and many words at every seat, and a whole trick, all in one moment, so that no event draws the
table anew in between: what of it reaches beyond the page. Cards fly between what is measured here."""


@pytest.mark.long(1)
@pytest.mark.parametrize("width", [320, 360, 390])
@pytest.mark.parametrize(("table", "path"), [("played", "play/"), ("watched", ""), ("written", "replay/")])
def test_neither_long_names_nor_cards_reach_beyond_a_phone(
    place: Place, browser: Browser, table: str, path: str, width: int
) -> None:
    with browsers.fresh_page(browser, viewport={"width": width, "height": 740}, has_touch=True) as page:
        place.sign_in(page)
        page.goto(place.address(table, path))
        expect(page.locator(".spot")).to_have_count(4)
        assert page.evaluate(STRETCHED) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
