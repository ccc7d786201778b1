"""A whole deal of each game by keyboard alone, and one by the text interface alone."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import VARIANTS
from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.pressing import ASKED, answer, at
from tests.e2e.without_pointer import KEYS, POINTED, Listener

pytestmark = pytest.mark.long
MOVES = 60


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with two tables of each game, Anna and bots."""
    with trees.running("serve", tmp_path_factory.mktemp("keys")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.all_games"))


@pytest.fixture
def page(place: Place, browser: Browser) -> Iterator[Page]:
    """Anna's, in which no pointer may be used once she sits at her table."""
    with browsers.fresh_page(browser, viewport={"width": 1280, "height": 720}) as opened:
        place.sign_in(opened)
        opened.context.add_init_script(POINTED)
        yield opened
        assert opened.evaluate("pointed") == 0


def play_a_deal(page: Page, act: Callable[[], None]) -> None:
    """Act whenever one is asked, until a deal has counted."""
    cloth, counted = page.locator("[data-cloth]"), page.locator("[data-deals] tbody tr")
    for _ in range(MOVES):
        page.locator(ASKED).or_(counted).first.wait_for(state="attached")
        if counted.count():
            return
        seq = at(page, "seq")
        act()
        expect(cloth).not_to_have_attribute("data-seq", seq)
    pytest.fail(f"no deal is over after {MOVES} moves")


@pytest.mark.parametrize("game", VARIANTS)
def test_a_deal_is_played_by_keyboard_alone(place: Place, page: Page, game: str) -> None:
    page.goto(place.address(game, "play/"))

    play_a_deal(page, lambda: answer(page, KEYS))

    expect(page.locator("[data-log]")).to_contain_text("Deal 1:")


@pytest.mark.parametrize("game", VARIANTS)
def test_a_deal_is_played_by_words_alone(place: Place, page: Page, game: str) -> None:
    page.goto(place.address(f"{game} again", "play/"))
    expect(page.locator("[data-cloth][data-turn]")).to_be_visible()
    listener = Listener(page)
    bids = {"bieter": "500", "lake-constance": "60"}.get(game, "")

    play_a_deal(page, lambda: listener.act(bids))

    expect(page.locator("[data-log]")).to_contain_text("Deal 1:")
    assert [told for told in listener.told if ": Which one?" in told or ": Ask:" in told] == []
