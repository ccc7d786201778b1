"""A sample evening: Fredi directs, Gabi referees, Hanna sits at the desk, Anna plays, Eva looks on.

The services create everything; signed-in clients request the pages.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.test import Client
from redis import Redis

from frontend import fragment_cache
from frontend.presenters.standings import loaded_rankings
from games.messaging import redis_client
from games.models import User
from tests.client_responses import Answer
from tournaments import jobs
from tournaments.models import Championship, Entry, Job, Official, Round, Table
from tournaments.services import cache_versions
from tournaments.services.championships import championships, officials
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.series import cached_series

CAST = ("fredi", "gabi", "hanna", "anna", "eva")
PEOPLE = (
    *("Anna Ammann", "Beat Bühler", "Chiara Caduff", "Dario Dörig", "Elsbeth Egli", "Fränzi Frei"),
    *("Görgi Gut", "Heidi Huber", "Ida Imhof", "Jürg Jost", "Köbi Kunz", "Luzia Lang", "Maja Meier"),
    *("Noldi Nef", "Otto Ott", "Päuli Pfister"),
)


HELP = re.compile(r'<details class="menu help".*?</details>', re.DOTALL)


def person(name: str) -> User:
    told = {"first_name": name.capitalize(), "may_found": name == "fredi"}
    return User.objects.get_or_create(username=name, defaults=told)[0]


def client(name: str | None = None) -> Client:
    """Return a browser's client, signed in if there is a name."""
    made = Client(headers={"accept-language": "en"})
    if name is not None:
        made.force_login(person(name))
    return made


def championship(people: int = 0, *, status: str = "arrived", count: int = 1, **more: Any) -> Championship:
    """Create a santiago championship of `count` rounds (a single one is drawn fast) with its officials and
    this many people; Anna has an account.
    """
    fredi = person("fredi")
    wanted = {"name": "Herbstcup", "slug": "herbstcup", "changes": {"rounds": count}, **more}
    made = championships.create(actor=fredi, **wanted)
    officials.appoint(made, person("gabi"), Official.Role.REFEREE, actor=fredi)
    officials.appoint(made, person("hanna"), Official.Role.DESK, actor=fredi)
    names = [*PEOPLE, *(f"Gast {n:04}" for n in range(len(PEOPLE) + 1, people + 1))][:people]
    entered = entries.add_entries(
        made, [entries.NewEntry(name, status=status) for name in names], actor=fredi
    )
    if entered:
        entries.link_account(entered[0], person("anna"), actor=fredi)
    return made


def first(of: Championship) -> Round:
    return of.rounds.get(number=1)


def drawn(people: int = 8, **more: Any) -> Round:
    return drawing.draw_round(first(championship(people, **more)), actor=person("fredi"))


def opened(*modes: str, people: int = 8, **more: Any) -> Round:
    """Open round 1; modes table by table, the last one for all others."""
    round_ = drawn(people, **more)
    for at, table in enumerate(round_.tables.select_related("round__championship").order_by("number")):
        rounds.set_mode(table, modes[min(at, len(modes) - 1)] if modes else "sheet", actor=person("fredi"))
    return rounds.open_round(round_, actor=person("fredi"))


def table(round_: Round, number: int) -> Table:
    return round_.tables.select_related("game", "round__championship").get(number=number)


def work() -> None:
    """Run all waiting jobs, as the worker would."""
    for job in Job.objects.filter(state=Job.State.QUEUED).order_by("queued_at"):
        assert jobs.run(job.pk)


def entry(of: Championship, name: str) -> Entry:
    return of.entries.get(name=name)


def html(answer: Answer) -> str:
    """Return a page without its help, which names buttons that may be missing."""
    return HELP.sub("", whole(answer))


def whole(answer: Answer) -> str:
    return answer.content.decode()


@contextmanager
def cached_version() -> Iterator[None]:
    """Keep the current cache version: a process loads it at most once a second, for all readers."""
    found = Championship.objects.get(slug="herbstcup")
    known = cache_versions.load_cache_version(found.pk, fresh=True)
    with patch.object(cache_versions, "load_cache_version", lambda *_, **__: known):
        yield


def forget_what_is_shared() -> None:
    """Clear the caches of this process and of Redis."""
    cache_versions.forget_all()
    for module in (loaded_rankings, fragment_cache, cached_series):
        module.KEPT.clear()

    def forget(redis: Redis) -> None:
        for name in redis.scan_iter(redis_client.key("shared", "*")):
            redis.delete(name)

    redis_client.ask_redis(forget, None)
