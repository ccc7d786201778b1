"""Incidents in a real browser: raised at the table, ruled on at the desk, counted in the ranking."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect

from tests import browsers
from tests import live_tree as trees

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
COUNT_PRESSES = """addEventListener("pointerdown", () =>
  sessionStorage.setItem("presses", Number(sessionStorage.getItem("presses") ?? 0) + 1), true)"""
AS_PROPOSED = {"pages": 3, "presses": 3}
"""The list, the dispute, the ruling made; the dispute, the field of the reason, *Confirm the ruling*."""
SHIFT = re.compile(r"^(.+?) place (\d+)(?: → (\d+))? (-?\d+) → (-?\d+)$")


@dataclass
class Hall:
    """A platform with a table for each incident, and the people around them."""

    url: str
    games: dict[str, str]
    codes: dict[str, str]
    browser: Browser
    python: Callable[..., Any]
    signed_in: dict[str, Any] = field(default_factory=dict)

    def table(self, incident: str, page: str = "") -> str:
        return f"{self.url}/g/{self.games[incident]}/{page}"

    def person(self, name: str) -> Any:
        """A page of a user, who signs in once."""
        if name not in self.signed_in:
            with browsers.fresh_page(self.browser) as page:
                page.goto(f"{self.url}/sign-in/")
                page.fill("input[name=username]", name)
                page.fill("input[name=password]", trees.ORGANISER[1])
                page.click("main form button.primary")
                expect(page).not_to_have_url(re.compile("sign-in"))
                self.signed_in[name] = page.context.storage_state()
        return browsers.fresh_page(self.browser, storage_state=self.signed_in[name])

    def phone(self, incident: str) -> Any:
        """The phone of a table, opened by the code on its poster: nobody has signed in."""
        if incident not in self.signed_in:
            with browsers.fresh_page(self.browser, **PHONE) as page:
                page.goto(f"{self.url}/t/#{self.codes[incident]}")
                expect(page).to_have_url(re.compile(self.games[incident]))
                self.signed_in[incident] = page.context.storage_state()
        return browsers.fresh_page(self.browser, storage_state=self.signed_in[incident], **PHONE)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Hall]:
    with trees.running("serve", tmp_path_factory.mktemp("hall")) as tree:
        made = tree.python("tests.e2e.disputed")
        yield Hall(tree.url, made["games"], made["codes"], browser, tree.python)


class Work:
    """What a referee does from the desk to the ruling: pages that are opened, presses; and the seconds that
    everything but him took."""

    def __init__(self, hall: Hall, page: Page, dispute: str) -> None:
        self._page, self._pages, self._began = page, 0, time.monotonic()
        page.add_init_script(COUNT_PRESSES)
        page.on("response", self._count)
        page.goto(f"{hall.url}/c/streitcup/disputes/")
        page.locator(f"a.tile-link[href='{dispute.removeprefix(hall.url)}']").click()
        expect(page).to_have_url(dispute)

    def _count(self, response: Response) -> None:
        self._pages += response.request.is_navigation_request() and response.ok

    def done(self, about: str) -> dict[str, int]:
        """The counts; the time is printed, since it says more of the machine than of the desk."""
        presses = int(self._page.evaluate("sessionStorage.getItem('presses')"))
        counts = {"pages": self._pages, "presses": presses}
        print(f"{about}: {counts}, {time.monotonic() - self._began:.1f} s without thinking and typing")
        return counts


def ask_for_the_referee(page: Page) -> None:
    """By the menu of the stage, or from the line above the table."""
    menu = page.locator(".stage-menu > summary")
    if menu.count():
        menu.click()
    page.locator("details.menu.on-page summary", has_text="eferee").click()
    page.get_by_role("link", name="Dispute a deal or a card").click()


def raise_from(page: Page, incident: str, text: str = "", **facts: int) -> str:
    """From a page of the table to the dispute; its address."""
    ask_for_the_referee(page)
    page.locator(f"input[name=incident][value={incident}]").check()
    for name, value in facts.items():
        page.fill(f"input[name={name}]", str(value))
    page.fill("textarea[name=text]", text)
    page.locator("#raise button.primary").click()
    expect(page).to_have_url(re.compile(r"/disputes/\d+/"))
    return page.url


def chosen(page: Page) -> Locator:
    return page.locator(".remedy:has(input:checked)")


def rule(page: Page, reason: str) -> dict[str, tuple[int, int]]:
    """Rule as chosen; who then stands where with how much, as the desk said before."""
    said = {}
    for line in chosen(page).locator(".shift").all_inner_texts():
        found = SHIFT.match(" ".join(line.split()))
        assert found, line
        name, place, after, _total, total_after = found.groups()
        said[name] = (int(after or place), int(total_after))
    page.locator("textarea[name=answer]").click()
    page.fill("textarea[name=answer]", reason)
    page.locator("#ruling button.primary").click()
    expect(page.locator("#ruled-on")).to_contain_text(reason)
    return said


def ranking(hall: Hall, page: Page, cup: str = "streitcup", *, live: bool = True) -> dict[str, Locator]:
    page.goto(f"{hall.url}/c/{cup}/standings/{'?live=1' if live else ''}")
    rows = page.locator("table.standings tbody tr")
    names = rows.locator("th").evaluate_all("heads => heads.map(head => head.firstChild.textContent.trim())")
    return {name: rows.nth(at) for at, name in enumerate(names)}


def totals(hall: Hall, page: Page, incident: str) -> list[int]:
    """Of both sides of a table, as the ranking has them."""
    rows = ranking(hall, page)
    return [int(rows[f"{name} {incident}"].locator("td.total").inner_text()) for name in ("Anna", "Beat")]


def check(rows: dict[str, Locator], said: dict[str, tuple[int, int]]) -> None:
    """The ranking is what the desk had said, and marks what the ruling has touched."""
    for name, (place, total) in said.items():
        expect(rows[name].locator("td.total")).to_have_text(str(total))
        expect(rows[name].locator("td.place > span").first).to_have_text(str(place))
        expect(rows[name].locator("a.ruling-mark")).to_have_count(1)


def set_scores(page: Page, one: int, other: int) -> None:
    """By hand; the remedies follow as soon as both are written."""
    details = page.locator("#ruling details.more").first
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    page.fill("input[name=score_0]", str(one))
    page.fill("input[name=score_1]", str(other))
    option = page.locator("input[name=remedy][value=score_change]")
    expect(option).to_be_enabled()
    expect(page.locator(".remedy:has(input[value=score_change])")).to_contain_text(f"{one} : {other}")
    option.check()


def test_a_revoke_is_raised_by_a_player_and_its_points_change_sides(hall: Hall) -> None:
    with hall.person("anna") as page:
        page.goto(hall.table("revoke"))
        dispute = raise_from(page, "revoke", "Hatte die Farbe noch", deal=1, trick=1)
        expect(page.locator("body")).not_to_contain_text("Rule on it")
    with hall.person("gabi") as page:
        work = Work(hall, page, dispute)
        page.get_by_text("revoked in trick").first.click()
        expect(page.locator("li.barred.chosen")).to_contain_text("must follow suit")
        (trick,) = re.findall(r"trick (\d+)", page.locator("#moment").inner_text())[:1]
        expect(page.locator("input[name=trick]")).to_have_value(trick)
        expect(chosen(page)).to_contain_text("set by the regulations")
        said = rule(page, "Die Farbe war da: bewiesen.")
        assert work.done("a revoke, its card looked at") == {"pages": 4, "presses": 4}
        assert len(said) == 4
        check(ranking(hall, page), said)


def test_undertrumping_is_raised_from_its_moment_in_the_replay(hall: Hall) -> None:
    with hall.person("gabi") as page:
        page.goto(hall.table("undertrump", "replay/"))
        page.locator("[data-rail]").click()
        page.locator("[data-notable] button").first.click()
        ask_for_the_referee(page)
        expect(page.locator(".raised-card")).to_be_visible()
        assert page.input_value("input[name=trick]") != ""
        page.locator("input[name=incident][value=undertrump]").check()
        page.locator("#raise button.primary").click()
        expect(page.locator("li.barred.chosen")).to_contain_text("undertrumps")
        expect(page.get_by_text("A trump lower than the highest one")).to_be_visible()
        page.get_by_role("link", name="What if another card").click()
        page.locator("a.hand-card").first.click()
        page.get_by_role("link", name="Finish as it was played").click()
        expect(page.locator(".what-if-score")).to_contain_text(":")
        page.goto(f"{hall.url}/c/streitcup/disputes/")
        page.locator("a.tile-link").first.click()
        said = rule(page, "Untertrumpft, wie das Reglement es verbietet.")
        check(ranking(hall, page), said)


def test_a_late_stoeck_is_taken_off_and_an_appeal_is_upheld(hall: Hall) -> None:
    with hall.phone("late_call") as page:
        page.goto(hall.table("late_call", "sheet/"))
        dispute = raise_from(page, "late_call", "Erst nach der naechsten Karte gesagt", deal=2)
    with hall.person("gabi") as page:
        work = Work(hall, page, dispute)
        expect(page.get_by_text("How the deal was entered")).to_be_visible()
        expect(chosen(page)).to_contain_text("110 : 67 → 90 : 67")
        said = rule(page, "Der Stoeck kam zu spaet.")
        assert work.done("a late Stöck") == AS_PROPOSED
        assert [total for _place, total in said.values()] == [190, 190]
        rows = ranking(hall, page)
        check(rows, said)
    with hall.phone("late_call") as page:
        page.goto(dispute)
        page.get_by_text("Appeal this ruling").click()
        page.fill("textarea[name=reason]", "Er kam rechtzeitig.")
        page.get_by_role("button", name="Appeal").click()
        expect(page.get_by_text("Under appeal").first).to_be_visible()
        rows = ranking(hall, page)
        expect(rows["Anna late_call"]).to_contain_text("provisional")
        page.goto(hall.table("late_call"))
        expect(page.locator(".ruling-strip")).to_contain_text("under appeal")
    with hall.person("gabi") as page:
        page.goto(dispute)
        expect(page.locator("main").get_by_text("another referee decides")).to_be_visible()
    with hall.person("heidi") as page:
        page.goto(dispute)
        expect(chosen(page)).to_contain_text("The ruling is upheld")
        page.fill("textarea[name=answer]", "Beide Zeugen sagen dasselbe.")
        page.locator("#ruling button.primary").click()
        expect(page.locator("#ruled-on")).to_contain_text("Appealed, and upheld")
        rows = ranking(hall, page)
        expect(rows["Anna late_call"]).not_to_contain_text("provisional")
        check(rows, said)


def test_a_wrong_claim_loses_the_deal(hall: Hall) -> None:
    with hall.person("gabi") as page:
        page.goto(hall.table("wrong_claim"))
        raise_from(page, "wrong_claim", deal=2)
        expect(page.locator("#record + .split")).to_contain_text("claims to be out, and is wrong")
        set_scores(page, 0, 157)
        said = rule(page, "Zu Unrecht bedankt: alles den Gegnern.")
        check(ranking(hall, page, "bedankcup"), said)
        assert set(said) == {"Beat wrong_claim", "Dario wrong_claim"}


def test_of_a_short_hand_the_opponents_choose(hall: Hall) -> None:
    with hall.person("gabi") as page:
        page.goto(hall.table("short_hand"))
        raise_from(page, "short_hand", "Dario hat eine Karte zu wenig")
        page.select_option("select[name=against]", label="Dario short_hand")
        points = page.locator(".remedy:has(input[value='short_hand/points'])")
        expect(points).to_contain_text("Choose which opponent has chosen")
        page.select_option("select[name=chosen_by]", label="Anna short_hand")
        expect(points.locator("input")).to_be_enabled()
        expect(points).to_contain_text("157 : 0")
        points.locator("input").check()
        said = rule(page, "Zu wenig Karten; die Gegner nehmen die Punkte.")
        expect(page.locator("#ruled-on")).to_contain_text("Anna short_hand")
        check(ranking(hall, page), said)
        assert said["Anna short_hand"][1] == 157


def test_a_misdeal_is_annulled_and_dealt_again(hall: Hall) -> None:
    with hall.person("gabi") as page:
        before = ranking(hall, page)["Anna misdeal"].locator("td.total").inner_text()
        page.goto(hall.table("misdeal"))
        raise_from(page, "misdeal", "Neun Karten hier, acht dort")
        expect(page.locator("input[name=deal]")).to_have_value("2")
        expect(chosen(page)).to_contain_text("The deal is annulled")
        rule(page, "Vergeben, gleicher Geber gibt nochmals.")
        row = ranking(hall, page)["Anna misdeal"]
        expect(row.locator("td.total")).to_have_text(before)
        expect(row.locator("a.ruling-mark")).to_have_count(1)
        page.goto(hall.table("misdeal", "replay/"))
        expect(page.locator("[data-notable]")).to_contain_text("Vergeben")
        before_both = totals(hall, page, "misdeal")
    with hall.phone("misdeal") as page:
        page.goto(hall.table("misdeal", "transcribe/"))
        page.get_by_role("button", name="Begin deal 3").click()
        expect(page.locator("[data-log]")).to_contain_text(
            "Deal 3, dealt by Anna misdeal"
        )  # as the deal that was annulled
    counted = hall.python("tests.e2e.disputed", hall.games["misdeal"], "1")["scores"]
    assert sum(counted) >= 157
    with hall.person("gabi") as page:
        after = totals(hall, page, "misdeal")
        assert after == [total + scored for total, scored in zip(before_both, counted, strict=True)]
        expect(ranking(hall, page)["Anna misdeal"].locator("a.ruling-mark")).to_have_count(1)


def test_a_wrong_sheet_sum_is_set_right_and_an_appeal_replaces_the_ruling(hall: Hall) -> None:
    with hall.phone("wrong_sum") as page:
        page.goto(hall.table("wrong_sum", "sheet/"))
        dispute = raise_from(page, "wrong_sum", "97 statt 79 geschrieben", deal=1)
    with hall.person("gabi") as page:
        page.goto(dispute)
        set_scores(page, 79, 78)
        said = rule(page, "Es waren 79.")
        check(ranking(hall, page), said)
        assert said["Anna wrong_sum"][1] == 79
    with hall.phone("wrong_sum") as page:
        page.goto(dispute)
        page.get_by_text("Appeal this ruling").click()
        page.fill("textarea[name=reason]", "Es waren 87.")
        page.get_by_role("button", name="Appeal").click()
    with hall.person("heidi") as page:
        page.goto(dispute)
        set_scores(page, 87, 70)
        said = rule(page, "Nachgezaehlt: 87.")
        expect(page.locator("#ruled-on")).to_contain_text("Appealed, and replaced")
        expect(page.locator(".trace")).to_contain_text("(replaced)")
        check(ranking(hall, page), said)
        assert said["Anna wrong_sum"][1] == 87


def test_a_wrong_dealer_objected_to_in_time_loses_his_deal_and_the_right_one_deals(hall: Hall) -> None:
    """The table calls before anybody has played, and plays on all the same until the referee comes."""
    with hall.phone("wrong_dealer") as page:
        page.goto(hall.table("wrong_dealer", "transcribe/"))
        dispute = raise_from(page, "wrong_dealer", "Anna war an der Reihe")
    hall.python("tests.e2e.disputed", hall.games["wrong_dealer"], "3")
    with hall.person("gabi") as page:
        before = ranking(hall, page)["Beat wrong_dealer"].locator("td.total").inner_text()
        work = Work(hall, page, dispute)
        expect(page.locator("#record + .split")).to_contain_text("dealt although it was not their turn")
        expect(chosen(page)).to_contain_text("The deal is annulled")
        said = rule(page, "Vor der ersten Karte gerufen: Anna gibt nochmals.")
        assert work.done("a wrong dealer") == AS_PROPOSED
        assert len(said) == 4
        assert said["Beat wrong_dealer"][1] < int(before)
        check(ranking(hall, page), said)
    with hall.phone("wrong_dealer") as page:
        page.goto(hall.table("wrong_dealer", "transcribe/"))
        page.get_by_role("button", name="Begin deal 3").click()
        expect(page.locator("[data-log]")).to_contain_text("Deal 3, dealt by Anna wrong_dealer")
        page.goto(hall.table("wrong_dealer", "replay/"))
        expect(page.locator("[data-notable]")).not_to_contain_text("Anna wrong_dealer dealt")


def test_a_wrong_dealer_objected_to_late_keeps_his_deal_and_stays_on_record(hall: Hall) -> None:
    with hall.phone("late_dealer") as page:
        page.goto(hall.table("late_dealer", "transcribe/"))
        dispute = raise_from(page, "wrong_dealer", "Anna war an der Reihe", deal=2)
    with hall.person("gabi") as page:
        before = ranking(hall, page)["Beat late_dealer"].locator("td.total").inner_text()
        page.goto(dispute)
        expect(page.locator("#remedies")).to_contain_text("the two have exchanged their turns to deal")
        expect(chosen(page)).to_contain_text("no points move")
        rule(page, "Zu spaet gerufen: das Spiel gilt, Anna gibt an Chiaras Stelle.")
        row = ranking(hall, page)["Beat late_dealer"]
        expect(row.locator("td.total")).to_have_text(before)
        expect(row.locator("a.ruling-mark")).to_have_count(1)


@pytest.mark.long
def test_the_published_ranking_is_the_one_that_the_rulings_made(hall: Hall) -> None:
    """Last of the file: the round closes, and what was live is published."""
    with hall.person("fredi") as page:
        live = {name: row.locator("td.total").inner_text() for name, row in ranking(hall, page).items()}
        page.goto(f"{hall.url}/c/streitcup/rounds/1/")
        page.get_by_text("Close anyway").click()
        page.check("input[name=force]")
        page.fill("input[name=reason]", "Feierabend")
        page.get_by_role("button", name="Close round 1").click()
        expect(page.locator(".page-head .pill").first).to_have_text("closed", timeout=60_000)
        rows = ranking(hall, page, live=False)
        expect(page.locator(".lead")).to_contain_text("After round 1")
        assert {name: row.locator("td.total").inner_text() for name, row in rows.items()} == live
        marks = page.locator("a.ruling-mark").count()
        page.goto(f"{hall.url}/c/streitcup/disputes/")
        assert marks == 4 * page.locator(".tile:not(.attention)").count()
