"""The cost of prints: `manage.py bench prints [--people N] [--times N]`.

One JSON line a document: seconds of processor time from the database to the PDF (median), the typesetter
included; the ratio to five seconds, pages and kilobytes; and the cost of a preview.
"""

import argparse
import io
import logging
import os
import statistics
import tempfile
from collections.abc import Callable
from functools import partial

from tests.bench import _pages_place
from tests.bench._load_figures import say
from tests.bench._quick import add_quick
from tests.bench.store import migrated

LIMIT = 5
"""Upper limit of a print, in seconds."""


def seconds(make: Callable[[], bytes], times: int) -> tuple[float, bytes]:
    took, made = [], b""
    for _ in range(times):
        start = processor_time()
        made = make()
        took.append(processor_time() - start)
    return statistics.median(took), made


def processor_time() -> float:
    """Processor time of this process and of the children it has waited for."""
    return sum(os.times()[:4])


def measure(people: int, times: int) -> None:
    from pypdf import PdfReader

    from frontend.prints import print_jobs
    from frontend.prints.documents import DOCUMENTS, Document
    from frontend.prints.occasion import Occasion
    from frontend.prints.typesetting import render_picture
    from tournaments.prizes import Prize, PrizePlan
    from tournaments.services import prize_giving
    from tournaments.services.current_regulations import load_regulations
    from tournaments.services.money import bookings, fees

    made = _pages_place.championship(people, "bench")
    director = made.officials.get(role="director").user
    places = tuple(Prize(kind="place", number=n, amount=100 * (1 + people - n)) for n in range(1, people + 1))
    prize_giving.set_plan(made, PrizePlan(prizes=places[:400]), actor=director)
    fees.set_fees(made, [fees.Price("Mitglied", 2000)], actor=director)
    bookings.book_fees(made.entries.select_related("championship"), actor=director)
    round_ = made.rounds.get(number=2)
    round_.championship = made

    def occasion() -> Occasion:
        regulations = load_regulations(made)
        return Occasion(made, regulations, round_, "de", "a4", "http://192.168.1.20:8000")

    everything = [document for document in DOCUMENTS.values() if not document.alone]

    def print_of(key: str, chosen: list[Document]) -> bytes:
        return print_jobs.render_pdf(occasion(), key, chosen)

    for key, documents in [*((one.key, [one]) for one in DOCUMENTS.values()), ("evening", everything)]:
        took, pdf = seconds(partial(print_of, key, documents), times)
        pages = len(PdfReader(io.BytesIO(pdf)).pages)
        say(f"prints/{people} people/{key}, s", took, LIMIT, pages=pages, kilobytes=len(pdf) // 1000)
    part = DOCUMENTS["own-sheets"].parts[0]
    took, picture = seconds(lambda: render_picture("de", part(occasion())), times)
    say(f"prints/{people} people/a preview, s", took, LIMIT, kilobytes=len(picture) // 1000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="manage.py bench prints", description=__doc__)
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--times", type=int, default=3)
    add_quick(parser, people=12, times=1)
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    with (
        tempfile.TemporaryDirectory(prefix="puur-prints-") as folder,
        migrated(f"sqlite:///{folder}/prints.sqlite3"),
    ):
        measure(asked.people, asked.times)


if __name__ == "__main__":
    main()
