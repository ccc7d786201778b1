"""A hall of real cards, of any size, by the services: the cost of opening it and of its pages."""

import time
from functools import partial
from typing import TYPE_CHECKING

from tests.bench._load_figures import rounded, say
from tests.bench.pages import measured

if TYPE_CHECKING:
    from games.models import User
    from tournaments.models import Championship, Round

PAGE_MS, QUERIES, OPENING_S = 150, 20, 3


def measure(tables: int, times: int) -> None:
    """Round 1 is entered and closed, round 2 is open: then the director's pages are measured."""
    from django.test import Client

    from tournaments.services.draw import drawing
    from tournaments.services.rounds import rounds

    made, director = championship(4 * tables)
    first, second = made.rounds.order_by("number")[:2]
    drawing.draw_round(first, actor=director)
    begun = time.perf_counter()
    rounds.open_round(first, actor=director)
    opened = time.perf_counter() - begun
    say(f"evening/{tables} tables/opening their sheets, s", opened, OPENING_S)
    type_results(first, director)
    rounds.close_round(first, actor=director)
    second.refresh_from_db()
    drawing.draw_round(second, actor=director)
    rounds.open_round(second, actor=director)
    browser = Client(SERVER_NAME="localhost", headers={"Accept-Language": "de"})
    browser.force_login(director)
    for name, path in pages(made.slug).items():
        found = measured(partial(browser.get, path), lambda: None, times)
        called = f"evening/{tables} tables/{name}"
        say(f"{called}, ms", found.ms, PAGE_MS, first_ms=rounded(found.first_ms))
        say(f"{called}, queries", found.queries, QUERIES)


def pages(slug: str) -> dict[str, str]:
    c = f"/c/{slug}/"
    return {
        "board": f"{c}board/",
        "round": f"{c}rounds/2/",
        "seating": f"{c}rounds/2/wall/",
        "people": f"{c}entries/",
        "ranking": f"{c}standings/",
        "results": f"{c}rounds/2/results/",
        "prints": f"{c}prints/",
        "where": f"{c}where/",
    }


def championship(people: int) -> "tuple[Championship, User]":
    from games.models import User
    from tournaments.services.championships import championships
    from tournaments.services.entries import entries

    director = User.objects.create(username="director")
    made = championships.create(actor=director, name="Halle", slug="halle", preset="klubabend")
    names = [entries.NewEntry(f"Gast {n:05}", status="arrived") for n in range(people)]
    entries.add_entries(made, names, actor=director)
    return made, director


def type_results(round_: "Round", actor: "User") -> None:
    """One line a table, as the grid sends it."""
    from tournaments.services.scores import desk_results

    for row in desk_results.desk_rows(round_):
        points = 400 + row.table % 457
        typed = desk_results.Typed(
            id=f"t{row.table}",
            people=row.people,
            seen=row.head,
            scores=[points, 1256 - points],
            signed=True,
        )
        desk_results.save_line(round_, row.table, typed, actor=actor)
