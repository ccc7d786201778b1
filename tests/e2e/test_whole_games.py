"""Games played to their end in a real browser: page and log agree, and the log is valid."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from engine import State, decode_event, replay
from engine.audit import audit
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.people import Person
from tests.e2e.pressing import ASKED, answer, at

MOVES = 150
OVER = "[data-cloth][data-turn='over']"


ENDINGS = [
    ("schieber", "Roses", ["declares melds: 50", "declares the Stöck", "Deal 1:"]),
    ("coiffeur of three", "", ["plays Joker with Roses", "Deal 30:"]),
    ("lake-constance", "", ["plays for", "turns"]),
    ("bieter", "Shields", ["bids 300", "discards 6 cards", "names Shields", "plays the deal", "Deal 2"]),
    ("differenzler", "", ["has made a hidden prediction", "The predictions were", "predicts 40"]),
    ("differenzler of four", "", ["predicts 40", "Turned card", "Deal 1:", "Deal 4:"]),
    ("coiffeur", "", ["plays Joker with Roses", "Deal 20:"]),
    ("la-pomme", "", ["Turned card", "exchanges 3 cards"]),
    ("plus-minus", "", ["takes the trick"]),
    ("plus-minus of three", "", ["takes the trick"]),
]
"""Table, contract that is named, lines that its log must show."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with the tables of `tests.e2e.endings`."""
    with trees.running("serve", tmp_path_factory.mktemp("endings")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.endings"))


@pytest.fixture
def anna(place: Place, page: Page) -> Page:
    """A page of Anna's."""
    place.sign_in(page, "anna")
    return page


@pytest.fixture(scope="module")
def fredi(place: Place) -> Iterator[Person]:
    """Fredi, who may see every log."""
    with Person(place.url, "fredi") as person:
        yield person


def press_on(page: Page, named: str = "", until: Locator | None = None) -> str:
    """Anna answers whatever is asked until something is shown: the end of the game, unless told otherwise.
    What the table told meanwhile.
    """
    log, cloth, told = page.locator("[data-log]"), page.locator("[data-cloth]"), ""
    until = until or page.locator(OVER)
    for _ in range(MOVES):
        page.locator(ASKED).or_(until).first.wait_for()
        told += log.inner_text()
        if until.count():
            return told
        seq = at(page, "seq")
        wish = page.locator(".choice", has_text=named) if named else None
        if wish is not None and wish.count():
            wish.first.click()
        else:
            answer(page)
        expect(cloth).not_to_have_attribute("data-seq", seq)
    raise AssertionError(f"that is not shown after {MOVES} moves: {told[-2000:]}")


def agrees(place: Place, page: Page, fredi: Person, table: str) -> State:
    """The table's page, its printed page and its log say the same, and the log is by the rules."""
    log = fredi.http.get(f"/api/v1/games/{place.games[table]}/events/").json()["events"]
    events = [decode_event(event) for event in log]
    state = replay(events)
    assert audit(events) is None
    assert state.over
    heads = page.locator(".slate-side-head")
    totals = [str(total).replace("-", "−") for total in state.totals]
    figures = [re.search(r"−?\d+", text) for text in heads.locator(".slate-total").all_inner_texts()]
    assert [found[0] for found in figures if found] == totals
    won = [side for side, head in enumerate(heads.all()) if "winner" in (head.get_attribute("class") or "")]
    assert won == list(state.winners or ())
    expect(page.locator(f"{ASKED}, [data-beside] button")).to_have_count(0)
    expect(page.locator("[data-game-end] .end-sides b")).to_have_text(totals)
    deals = page.locator("[data-deals] tbody tr").count()
    expect(page.locator("[data-game-end] .end-deals > li")).to_have_count(deals)
    page.goto(place.address(table, "print/"))
    totals = page.locator("tfoot").last.locator("strong").all_inner_texts()
    assert [int(total) for total in totals] == list(state.totals)
    return state


@pytest.mark.long(1)
@pytest.mark.parametrize(("table", "named", "words"), ENDINGS)
def test_a_game_is_pressed_to_its_end(
    place: Place, anna: Page, fredi: Person, table: str, named: str, words: list[str]
) -> None:
    anna.goto(place.address(table, "play/"))

    told = press_on(anna, named)

    assert [word for word in words if word not in told] == []
    agrees(place, anna, fredi, table)


def test_who_has_enough_points_claims_to_be_out_and_has_won(place: Place, anna: Page, fredi: Person) -> None:
    anna.goto(place.address("claimed", "play/"))
    notes = anna.locator(".slate-side").first.locator(".slate-note")

    press_on(anna, "Roses", notes.filter(has_text=re.compile(r"so far: ([2-9]\d|1\d\d)$")))
    claim = anna.locator("[data-beside] button")
    claim.click()
    anna.get_by_role("button", name="Yes, ").click()
    anna.locator(OVER).wait_for()

    expect(anna.locator("[data-log]")).to_contain_text("claims to be out, and is right")
    assert agrees(place, anna, fredi, "claimed").winners == (0,)


def test_the_ranking_of_an_evening_is_what_was_pressed(place: Place, anna: Page, fredi: Person) -> None:
    anna.goto(place.address("evening", "play/"))
    press_on(anna)
    totals = agrees(place, anna, fredi, "evening").totals

    assert fredi.post("/c/kurzabend/rounds/1/do/close/").status_code == 302
    fredi.until("/c/kurzabend/rounds/1/", lambda text: "/do/reopen/" in text)
    anna.goto(f"{place.url}/c/kurzabend/standings/")

    rows = anna.locator("table tbody tr")
    expect(rows).to_have_count(4)
    ranking = {
        row.locator("th").inner_text().split("\n")[0]: row.locator(".total").inner_text()
        for row in rows.all()
    }
    for seat, name in enumerate(("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig")):
        [shown] = [total for said, total in ranking.items() if said.startswith(name)]
        assert int(shown) == totals[seat % 2]
