"""A whole deal of each game by people in separate browsers, each of them offline once."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Position, expect

from engine import VARIANTS, State, decode_event, replay
from engine.events import CardPlayed, DealScored
from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.people import Person
from tests.e2e.pressing import Fingers, answer, at, next_asked, settled

pytestmark = pytest.mark.long
CAST = ("anna", "beat", "chiara", "dario")
SIZES: tuple[dict[str, Any], ...] = (
    {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    {"viewport": {"width": 1280, "height": 720}},
    {"viewport": {"width": 320, "height": 568}, "has_touch": True},
    {"viewport": {"width": 844, "height": 390}, "has_touch": True},
)
"""Of the seats: two phones upright, a laptop, a phone that lies."""
WATCHING: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
MOVES = 90
IN_SIGHT: Position = {"x": 10, "y": 20}
"""Of a card, what the next one and the row below leave free."""
NO_NETWORK = "net::ERR_INTERNET_DISCONNECTED"
"""What a browser complains of where there is none."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with the tables of `tests.e2e.whole_deals`."""
    with trees.running("serve", tmp_path_factory.mktemp("deals")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.whole_deals"))


@pytest.fixture(scope="module")
def fredi(place: Place) -> Iterator[Person]:
    """Fredi, who watches the log, not the page."""
    with Person(place.url, "fredi") as person:
        yield person


class Window:
    """Somebody's browser at a table: whether it has a network, and which commands it has sent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        page.on("websocket", lambda line: line.on("framesent", self._note))

    def _note(self, said: str | bytes) -> None:
        told = json.loads(said)
        if "command_id" in told:
            self.sent.append(told["command_id"])

    def lose(self) -> None:
        self.page.context.set_offline(True)
        expect(self.page.locator("[data-connection]")).to_have_attribute("data-state", "lost")

    def find(self) -> None:
        self.page.context.set_offline(False)
        expect(self.page.locator("[data-connection]")).to_have_attribute("data-state", "open")

    def until(self, seq: int) -> None:
        """Wait until it shows so much of the log."""
        self.page.wait_for_function(
            "seq => Number(document.querySelector('[data-cloth]').dataset.seq) >= seq", arg=seq
        )


def by_hand(card: Locator) -> None:
    """By thumb, or by mouse where there is no finger."""
    settled(card.page)
    if card.evaluate("() => navigator.maxTouchPoints") > 0:
        card.tap(position=IN_SIGHT)
    else:
        card.click(position=IN_SIGHT)


HANDS = Fingers(take=by_hand)


class Table:
    """The windows of a table, and what the server has in its log."""

    def __init__(self, windows: list[Window], watching: Window, log: Callable[[], list[Any]]) -> None:
        self.windows = windows
        self.watching = watching
        self.log = log
        self.kept: set[int] = set()
        """Whose card was played without a network."""
        self.missed: set[int] = set()
        """Who had no network while somebody else played; -1: who watches."""

    def play_a_deal(self) -> list[Any]:
        """Everybody answers what is asked until a deal has counted; its log."""
        pages = [window.page for window in self.windows]
        for _ in range(MOVES):
            asked = next_asked(pages)
            events = self.log()
            if any(isinstance(event, DealScored) for event in events):
                return events
            assert asked is not None
            self.move(pages.index(asked), replay(events))
        pytest.fail(f"no deal is over after {MOVES} moves")

    def move(self, seat: int, state: State) -> None:
        """Whoever is asked answers; in the middle of a trick somebody has no network meanwhile."""
        missing = [other for other in (-1, *range(len(self.windows))) if other not in self.missed | {seat}]
        if state.trick and seat not in self.kept:
            self.play_without_a_network(seat, state)
        elif missing and (state.trick or len(self.windows) == 2):  # one of two may lead to every trick
            self.play_while_away(seat, missing[0])
        else:
            self.answer(seat)

    def answer(self, seat: int) -> None:
        """As a person does; until the log has it."""
        page = self.windows[seat].page
        seq = at(page, "seq")
        answer(page, HANDS)
        expect(page.locator("[data-cloth]")).not_to_have_attribute("data-seq", seq)

    def play_without_a_network(self, seat: int, state: State) -> None:
        """The card lies there at once, nobody else sees it, and it is sent once when the network is back."""
        window = self.windows[seat]
        window.lose()
        before = len(window.sent)
        by_hand(window.page.locator(".hand-card.legal").last)
        expect(window.page.locator(".trick-card.sent")).to_have_count(1)
        expect(window.page.locator(".table-status")).to_contain_text("Saved: it is sent")
        assert window.sent[before:] == []
        assert len(self.log()) == state.seq

        window.find()
        window.until(state.seq)
        assert len(window.sent[before:]) == 1
        self.kept.add(seat)

    def play_while_away(self, seat: int, away: int) -> None:
        """A page that was away receives the missed events."""
        window = self.watching if away < 0 else self.windows[away]
        window.lose()
        seen = at(window.page, "seq")
        self.answer(seat)
        assert at(window.page, "seq") == seen

        window.find()
        window.until(int(at(self.windows[seat].page, "seq")))
        self.missed.add(away)

    def followed(self, events: Sequence[Any]) -> set[int]:
        """Who has played a card that did not lead."""
        played = [event.seat for event in events if isinstance(event, CardPlayed)]
        seats = len(self.windows)
        return {seat for at, seat in enumerate(played) if at % seats}


@pytest.fixture
def laid(place: Place, browser: Browser, fredi: Person) -> Iterator[Callable[[str, int], Table]]:
    """Opens a window at each seat of a table, and one of somebody who has no account."""
    with contextlib.ExitStack() as open_windows:

        def at_table(game: str, seats: int) -> Table:
            def window(path: str, name: str | None, size: dict[str, Any]) -> Window:
                page = open_windows.enter_context(browsers.fresh_page(browser, **size))
                if name is not None:
                    place.sign_in(page, name)
                opened = Window(page)
                page.goto(place.address(game, path))
                expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
                open_windows.callback(browsers.forgive, page, NO_NETWORK)
                return opened

            def log() -> list[Any]:
                told = fredi.http.get(f"/api/v1/games/{place.games[game]}/events/").raise_for_status().json()
                return [decode_event(event) for event in told["events"]]

            people = zip(CAST[:seats], SIZES, strict=False)
            return Table([window("play/", *who) for who in people], window("", None, WATCHING), log)

        yield at_table


def deals_of(page: Page) -> list[str]:
    """What the page says that the first deal has counted."""
    row = page.locator("[data-deals] tbody tr").first
    return row.locator("td").all_text_contents()


def figures(cells: Sequence[str]) -> list[int]:
    """What a deal counted for each side: what stands first in its cell."""
    found = [re.match(r"−?\d+", cell) for cell in cells[2:]]
    return [int(figure[0].replace("−", "-")) for figure in found if figure]


@pytest.mark.parametrize("game", VARIANTS)
def test_a_deal_ends_alike_in_every_window_though_each_loses_the_network_in_the_middle_of_a_trick(
    laid: Callable[[str, int], Table], game: str
) -> None:
    seats = max(VARIANTS[game].seats)
    table = laid(game, seats)

    events = table.play_a_deal()

    everybody = [*table.windows, table.watching]
    for window in everybody:
        window.until(events[-1].seq)
    shown = [deals_of(window.page) for window in everybody]
    assert shown == [shown[0]] * len(everybody)
    [scored] = [event for event in events if isinstance(event, DealScored)]
    assert figures(shown[0]) == list(scored.scores)
    cards = [event.card for event in events if isinstance(event, CardPlayed)]
    assert len(set(cards)) == len(cards)
    assert table.kept == table.followed(events)
    assert table.missed == {-1, *range(seats)}
    for window in table.windows:
        assert len(set(window.sent)) == len(window.sent)
    assert replay(events).deal >= 1
