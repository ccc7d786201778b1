"""The cost of an evening with real cards for its organiser: `manage.py bench evening [--tables N] [--quick]`.

One JSON line a figure, beside its limit. First presses and keyed numbers of an organiser who drives Chromium
through an evening of 20 people: they are the same on every machine (`tests/e2e/test_whole_evening.py`). Then
milliseconds of processor time and queries of the pages of a hall of 100 tables, and the cost of opening it.
"""

import argparse
import logging
import tempfile
from pathlib import Path

from tests import browsers, live_tree
from tests.bench import _evening_hall
from tests.bench._evening_hand import Counts
from tests.bench._evening_steps import Organiser, people
from tests.bench._load_figures import say
from tests.bench._quick import add_quick
from tests.bench.store import migrated


def typed(organiser: Organiser, tables: int, rounds: int) -> None:
    """An evening of totals, from its founding to the last round closed."""
    with organiser.counted() as founding:
        organiser.found("Klubjass", "klubabend")
    told("founding", founding)
    with organiser.counted() as entering:
        organiser.enters(people(4 * tables))
    told("a list of people", entering)
    organiser.here(*[family for family, _ in people(4 * tables)])
    organiser.goes_to("")
    with organiser.counted() as played:
        organiser.goes_on()
        for number in range(1, rounds + 1):
            organiser.draws_and_opens()
            organiser.begins_typing()
            for table in range(1, tables + 1):
                organiser.types(600 + 30 * table + number)
            organiser.closes()
            organiser.goes_on()
    told("drawing, opening, typing and closing all rounds", played, clicks=25, numbers=60)
    with organiser.counted() as correction:
        organiser.corrects(1, 700, "Zahlen vertauscht")
    told("an old mistake put right", correction, clicks=5, numbers=2)


def told(what: str, counts: Counts, *, clicks: int | None = None, numbers: int | None = None) -> None:
    say(f"evening/{what}, clicks", counts.clicks, clicks, words=counts.words, keys=counts.keys)
    say(f"evening/{what}, keyed numbers", counts.numbers, numbers)


def in_a_browser(tables: int, rounds: int) -> None:
    """Run the real platform, with worker and Valkey, on a folder of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="puur-evening-") as folder,
        live_tree.running("serve", Path(folder), empty=True) as tree,
        browsers.chromium() as browser,
        browsers.fresh_page(browser, locale="de-CH") as page,
    ):
        organiser = Organiser(page, tree.url)
        organiser.sign_in()
        typed(organiser, tables, rounds)


def in_a_hall(tables: int, times: int) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="puur-hall-") as folder,
        migrated(f"sqlite:///{folder}/hall.sqlite3"),
    ):
        from django.test import override_settings

        from games import sealing

        key = Path(folder) / "seal_key"
        sealing.make_seal_key(key)
        with override_settings(SEAL_KEY=key):
            _evening_hall.measure(tables, times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="manage.py bench evening", description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="of the hall")
    parser.add_argument("--times", type=int, default=7, help="that each page is asked for")
    parser.add_argument("--people", type=int, default=20, help="of the evening in the browser")
    add_quick(parser, tables=4, times=1, people=4)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    in_a_browser(given.people // 4, 4 if given.people > 4 else 1)
    in_a_hall(given.tables, given.times)


if __name__ == "__main__":
    main()
