"""Pages of a large series and its club: `manage.py bench series [--events N] [--people N] [--times N]`.

One JSON line a figure: milliseconds of processor time an answer (the median, and the first one), queries, and
kilobytes compressed. Each person is on the club's roll and plays every event. Its mark is read anew for
each answer; before some answers a result is corrected, or a whole ranking published anew.
"""

import argparse
import gzip
import logging
import random
import tempfile
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.bench._load_figures import rounded, say
from tests.bench._quick import add_quick
from tests.bench.pages import PAGE_KB, PAGE_MS, measured
from tests.bench.store import migrated

if TYPE_CHECKING:
    from tournaments.models import Championship, ClubSeries, Person, StandingsSnapshot

ROUNDS = 4


def hold_season(events: int, people: int) -> "ClubSeries":
    """Create a season whose events are all held, as rows."""
    from games.models import User
    from tournaments.clubs import rolls
    from tournaments.models import Person
    from tournaments.names import TwoNames
    from tournaments.services.championships import championships
    from tournaments.services.series import editing

    director = User.objects.get_or_create(username="director", defaults={"may_found": True})[0]
    club = rolls.found_club("Jassklub", actor=director)
    roll = []
    for n in range(people):
        person = Person(club=club)
        person.call(TwoNames(chr(65 + n % 26), f"Gast {n:05}"))
        roll.append(person)
    Person.objects.bulk_create(roll, batch_size=500)
    season = editing.create_series(club, name="Season", preset="club_average", actor=director)
    for n in range(events):
        made = championships.create(actor=director, name=f"Evening {n}", club=club, public_names="full")
        _publish(made, roll, random.Random(n))
        editing.add_event(season, championship=made, actor=director)
    return season


def _publish(made: "Championship", roll: "list[Person]", chance: random.Random) -> None:
    """Enter everybody, and publish a ranking."""
    import msgspec

    from tournaments.models import Championship, Entry, StandingsSnapshot
    from tournaments.names import TwoNames
    from tournaments.standings import RankingRow, RoundScore

    entries = []
    for number, person in enumerate(roll, 1):
        entry = Entry(championship=made, number=number, person=person)
        entry.call(TwoNames(person.first_name, person.family_name))
        entries.append(entry)
    Entry.objects.bulk_create(entries, batch_size=500)
    totals = sorted(((chance.randrange(2000, 6000), n) for n in range(1, len(roll) + 1)), reverse=True)
    rows, place = [], 0
    for at, (total, number) in enumerate(totals):
        place = place if at and totals[at - 1][0] == total else at + 1
        scores = tuple(RoundScore(n + 1, total // ROUNDS, 0, True, True) for n in range(ROUNDS))
        rows.append(
            RankingRow(
                place=place,
                shared=False,
                key=number,
                total=total,
                sweeps=0,
                rounds=scores,
            )
        )
    StandingsSnapshot.objects.create(
        championship=made, after_round=ROUNDS, version=1, rows=msgspec.to_builtins(rows), reason="round"
    )
    Championship.objects.filter(pk=made.pk).update(status=Championship.Status.FINISHED)


def correct_result(season: "ClubSeries") -> None:
    """Publish the ranking of the first event again, with another total of the last person."""
    rows = _newest(season).rows
    rows[-1]["total"] -= 1
    _publish_again(season, rows)


def replace_ranking(season: "ClubSeries") -> None:
    """Publish the ranking of the first event again, with another total of everybody."""
    rows = _newest(season).rows
    for row in rows:
        row["total"] += 1
    _publish_again(season, rows)


def _newest(season: "ClubSeries") -> "StandingsSnapshot":
    from tournaments.models import StandingsSnapshot

    first = season.events.order_by("position")[0].championship
    return StandingsSnapshot.objects.filter(championship=first).latest("version")


def _publish_again(season: "ClubSeries", rows: list[Any]) -> None:
    from tournaments.models import StandingsSnapshot

    was = _newest(season)
    StandingsSnapshot.objects.create(
        championship=was.championship,
        after_round=ROUNDS,
        version=was.version + 1,
        rows=rows,
        reason="correction",
    )
    _expire_cache_versions()


def _expire_cache_versions() -> None:
    from tournaments.services.series import cached_series

    for kept in cached_series.KEPT.find([*cached_series.KEPT]).values():
        kept.at = float("-inf")


def measure(events: int, people: int, times: int) -> None:
    from django.test import Client
    from django.urls import reverse

    season = hold_season(events, people)
    browser = Client(SERVER_NAME="localhost")
    person = season.club.roll.order_by("pk")[0]
    paths = {
        "a series": reverse("series", args=[season.slug]),
        "its club": reverse("club", args=[season.club.slug]),
        "a person": reverse("club_person", args=[season.club.slug, person.pk]),
    }
    asked: list[tuple[str, str, Callable[[], None]]] = [
        *((name, path, _expire_cache_versions) for name, path in paths.items()),
        ("a series after a correction", paths["a series"], partial(correct_result, season)),
        ("a series after another ranking", paths["a series"], partial(replace_ranking, season)),
    ]
    for name, path, before in asked:
        found = measured(partial(browser.get, path), before, times)
        title = f"series/{events} events, {people} people/{name}"
        size = len(gzip.compress(found.body, 6)) / 1000
        say(f"{title}, ms", found.ms, PAGE_MS, first_ms=rounded(found.first_ms), queries=found.queries)
        say(f"{title}, kB", size, PAGE_KB)


def main() -> None:
    parser = argparse.ArgumentParser(prog="manage.py bench series", description=__doc__)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--people", type=int, default=4000)
    parser.add_argument("--times", type=int, default=5)
    add_quick(parser, events=3, people=16, times=1)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="puur-bench-") as folder,
        migrated(f"sqlite:///{folder}/series.sqlite3"),
    ):
        logging.disable(logging.WARNING)
        measure(given.events, given.people, given.times)


if __name__ == "__main__":
    main()
