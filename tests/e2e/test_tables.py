"""A table in a real browser: played by touch and key, watched, written down, replayed, signed."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests.e2e.conftest import Place
from tests.frontend.catalogues import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 15_000


def test_anna_plays_a_deal_with_the_keyboard_and_the_others_follow(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("played", "play/"))
    expect(page.locator(".hand-card")).to_have_count(9, timeout=PATIENCE)
    mine = page.locator(".choice, .hand-card.legal").first
    expect(mine).to_be_visible(timeout=PATIENCE)
    if page.locator(".choice").count():
        page.locator(".choice").first.press("Enter")
    for left in range(9, 6, -1):
        lit = page.locator(".hand-card.legal").first
        expect(lit).to_be_visible(timeout=PATIENCE)
        expect(page.locator(".hand-card")).to_have_count(left)
        place_in_hand = page.locator(".hand-card").evaluate_all(
            "cards => cards.findIndex(card => card.classList.contains('legal')) + 1"
        )
        page.keyboard.press(str(place_in_hand))
        expect(lit).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".hand-card")).to_have_count(left - 1, timeout=PATIENCE)


def test_a_dark_card_says_why_it_cannot_be_played(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("played", "play/"))
    for _ in range(9):
        expect(page.locator(".hand-card.legal, .choice").first).to_be_visible(timeout=PATIENCE)
        if page.locator(".choice").count():
            page.locator(".choice").first.click()
            continue
        dark = page.locator(".hand-card.dim")
        if dark.count():
            dark.first.click(force=True, position={"x": 12, "y": 40})
            expect(page.locator(".cloth-status")).to_have_class(re.compile("reason"))
            return
        before = page.locator(".hand-card").count()
        page.locator(".hand-card.legal").first.click(position={"x": 12, "y": 40})
        expect(page.locator(".hand-card")).not_to_have_count(before, timeout=PATIENCE)
    pytest.fail("in nine tricks no card was ever dark")


def test_a_spectator_sees_cards_fall_without_touching_anything(place: Place, page: Page) -> None:
    page.goto(place.address("watched"))

    expect(page.locator(".trick-card").first).to_be_visible(timeout=PATIENCE)
    seen = page.locator("[data-log] li").last.inner_text()
    expect(page.locator("[data-log] li").last).not_to_have_text(seen, timeout=PATIENCE)
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
    expect(page.locator(".slate-side")).to_have_count(2)


def test_both_decks_can_be_had_and_the_choice_is_remembered(place: Place, page: Page) -> None:
    page.goto(place.address("watched"))
    expect(page.locator(".trick-card use").first).to_have_attribute(
        "href", re.compile("ch"), timeout=PATIENCE
    )

    page.locator("details.menu summary").first.click()
    page.get_by_role("button", name="French").click()

    expect(page.locator(".trick-card use").first).to_have_attribute(
        "href", re.compile("#fr-"), timeout=PATIENCE
    )
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-deck", "fr")


def test_a_sheet_is_typed_corrected_and_signed_by_the_other_side(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("sheet", "sheet/"))
    first, second = page.locator("[data-points='0']"), page.locator("[data-points='1']")

    first.fill("87")
    expect(second).to_have_value("70")
    second.fill("71")
    expect(page.locator("[data-sum]")).to_have_class(re.compile("wrong"))
    expect(page.locator("[data-sum]")).to_contain_text("Deal 1: together 158")
    expect(page.locator("[data-save]")).to_be_disabled()
    second.fill("70")
    page.locator("[data-stoeck='0']").click()
    page.locator("[data-save]").click()

    row = page.locator("[data-rows] tr").first
    expect(row).to_contain_text("107", timeout=PATIENCE)
    expect(row).to_contain_text("to be confirmed")
    row.get_by_role("button", name=re.compile("confirm")).click()
    expect(row.locator(".pill")).to_have_text("confirmed", timeout=PATIENCE)


def test_what_is_typed_without_a_network_is_sent_once_when_it_is_back(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("sheet", "sheet/"))
    expect(page.locator("[data-entry]")).to_be_visible(timeout=PATIENCE)
    rows = page.locator("[data-rows] tr")
    before = rows.count()

    page.context.set_offline(True)
    page.locator("[data-sweep='1']").click()
    page.locator("[data-save]").click()
    expect(page.get_by_text("not sent yet")).to_be_visible()
    page.context.set_offline(False)

    expect(page.get_by_text("not sent yet")).to_have_count(0, timeout=PATIENCE)
    expect(rows).to_have_count(before + 1)
    expect(rows.last).to_contain_text("257")
    page.errors.clear()


def test_a_card_written_down_can_be_taken_back_for_a_moment_and_a_revoke_is_marked(
    place: Place, page: Page
) -> None:
    place.sign_in(page)
    page.goto(place.address("written", "transcribe/"))
    picker = page.locator("[data-picker]")
    expect(picker.get_by_label("Bells Ace", exact=True)).to_be_disabled(timeout=PATIENCE)

    picker.get_by_label("Bells King", exact=True).click()
    page.get_by_role("button", name="Take back").click()
    expect(picker.get_by_label("Bells King", exact=True)).to_be_enabled()

    picker.get_by_label("Shields Ober", exact=True).click()

    expect(page.locator("[data-log]")).to_contain_text("revoked in trick 2", timeout=PATIENCE)


def test_cards_tapped_in_a_hurry_each_go_to_the_next_player(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("hurried", "transcribe/"))
    picker = page.locator("[data-picker]")
    expect(picker.get_by_label("Shields King", exact=True)).to_be_enabled(timeout=PATIENCE)

    for card in ("Shields King", "Shields 6", "Roses 6", "Acorns 7", "Acorns 8"):
        picker.get_by_label(card, exact=True).click()

    log = page.locator("[data-log]")
    expect(log).to_contain_text("Acorns 7", timeout=PATIENCE)
    played = [line for line in log.locator("li").all_inner_texts() if " plays " in line]
    assert [line.split(" plays ")[1].rstrip(".") for line in played[:4]] == [
        "Shields King",
        "Shields 6",
        "Roses 6",
        "Acorns 7",
    ]
    assert len({line.split(" plays ")[0] for line in played[:4]}) == 4
    expect(page.locator("[data-notice]")).to_be_hidden()


def test_a_replay_goes_by_keys_and_links_to_each_moment(place: Place, page: Page) -> None:
    page.goto(place.address("written", "replay/") + "#seq=7")
    status = page.locator(".cloth-status")
    expect(status).to_contain_text("plays", timeout=PATIENCE)
    at_first = status.inner_text()

    page.keyboard.press("ArrowRight")
    expect(status).not_to_have_text(at_first)
    expect(page).to_have_url(re.compile(r"#seq=8$"))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"#seq=0$"))
    page.keyboard.press("PageDown")
    expect(status).to_contain_text("takes the trick")
    page.keyboard.press("End")
    expect(page.locator("[data-slider]")).to_have_attribute("aria-valuetext", re.compile("."))


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
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci in frontend/")
    with browsers.fresh_page(browser, color_scheme=theme, viewport={"width": 390, "height": 800}) as page:
        place.sign_in(page)
        page.goto(place.address(table, path))
        expect(page.locator(".slate-side").first).to_be_visible(timeout=PATIENCE)
        page.evaluate(AXE.read_text(encoding="utf-8"))

        found = page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})")

    assert [(v["id"], [node["html"][:120] for node in v["nodes"][:3]]) for v in found["violations"]] == []


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
            expect(page.locator(".slate-side").first).to_be_visible(timeout=PATIENCE)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, (table, path)
