"""Two worlds that differ only in what happened in the last minutes at tables that are shown late: whoever has
no part in them gets the same bytes from every address there is, old ETag or not; and once the delay has run
out, others.

The addresses come from the URL configuration: one that is added later is asked here by itself, and an unknown
parameter of it fails the test. Sockets: tests/games/test_live_delayed_broadcast.py.
"""

import itertools
import json
import re
from collections.abc import Callable, Collection, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from celery import Celery
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games import game_state
from games.projections import delayed_broadcast
from games.sealing import make_seal_key
from tests.attack.late_evening import MINUTES, QUIET, SLUG, Clock, Evening
from tests.frontend.evening import client, forget_what_is_shared
from tests.frontend.test_page_secrecy import chance, count_rows_again
from tournaments.models import Club, ClubEvent, ClubSeries, Dispute, OutsideEvent, Round, Table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
STRANGERS: Final = ("anonymous", "eva", "friend", "otto", "zita")
"""Nobody; somebody with an account; one whom the organiser shows hands; who plays at another table; who is
entered and sits nowhere."""
IN_TIME: Final = ("anna", "phone", "fredi", "gabi", "hanna")
ASKED: Final[dict[str, tuple[dict[str, str], ...]]] = {
    "api_games": ({"status": "running"}, {"status": "ended"}, {"limit": "1"}, {"limit": "1", "offset": "1"}),
    "api_game_events": ({"since": "0"}, {"since": "9"}, {"since": "60"}),
    "api_game_replay": ({"at": "3"}, {"at": "30"}, {"at": "60"}),
    "api_game_evidence": ({"deal": "1"}, {"deal": "2"}),
    "api_game_sheet": ({"deal": "2"},),
    "standings": ({"live": "1"},),
    "projector": ({"live": "1"},),
    "team_standings": ({"live": "1"},),
    "replay": ({"at": "30"}, {"at": "60"}),
    "table_preview": ({"at": "3"}, {"at": "30"}, {"at": "60"}),
    "embedded_table": ({"at": "3"}, {"at": "30"}),
    "what_if": ({"at": "9"}, {"at": "30"}),
    "tables": ({"show": "open"}, {"show": "calls"}, {"show": "slow"}, {"q": "1"}),
    "beside": ({"q": "1"},),
    "checkpoints": ({"at": "1"}, {"at": "2"}),
    "checkpoints_json": ({"since": "1"},),
    "oembed": ({"url": "http://testserver/g/{game}/"},),
}
"""What else is asked of an address."""
TOKEN: Final = re.compile(rb"\b(?![0-9a-f]{64})[0-9A-Za-z]{64}\b")
"""Of a form: drawn anew for each page, and no hash."""
ETAGS: Final = frozenset(
    {
        *(
            "championship",
            "tables",
            "board",
            "tables_projector",
            "standings",
            "projector",
            "beside",
            "follow",
        ),
        *("disputes", "persons_evening", "next_seats", "home", "embedded_ranking", "overlay_ranking"),
    }
)
"""What a page asks for again and again."""
PARTS: Final = {"HX-Request": "true"}
NOT_OF_A_CHAMPIONSHIP: Final = {
    "metrics": "only whoever runs the machine may ask",
    "schema": "described anew each time, the same for every evening",
    "mfa_activate_totp": "draws a secret each time",
    "mfa_add_webauthn": "draws a challenge each time",
}
Answers = dict[str, tuple[int, bytes, dict[str, str]]]


class Undone(Exception):
    pass


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Clock:
    made = Clock()
    settings.SEAL_KEY = tmp_path / "seal_key"
    make_seal_key(settings.SEAL_KEY)
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    monkeypatch.setattr(Celery, "send_task", lambda *_, **__: None)
    return made


def addresses() -> Iterator[tuple[str, str]]:
    """Every name of the URL configuration with every address that it has in this evening."""
    late_ones = Table.objects.exclude(number=QUIET).order_by("number")
    people = late_ones.filter(seatings__seat=0).values_list("seatings__entry__number", flat=True)
    known: dict[str, list[Any]] = {
        "slug": [SLUG],
        "number": [1],
        "table": [1, 2, 3],
        "entry": list(people)[:1],
        "place": [0],
        "start": [1],
        "deal": [1, 2],
        "game_id": [str(one.game_id) for one in late_ones],
        "table_id": [one.pk for one in late_ones],
        "dispute_id": [1, 2],
        "official_id": [1],
        "invitation_id": [1],
        "user_id": [1],
        "pk": [1],
        "row": ["abc"],
        "club_id": [1],
        "club_slug": list(Club.objects.values_list("slug", flat=True)),
        "person_id": [1],
        "image_id": [1],
        "booking_id": [1],
        "job_id": ["0" * 32],
        "audit_id": ["0" * 32],
        "digest": ["a" * 64],
        "link": ["abc"],
        "nonce": ["abc"],
        "token": ["own1", "own2", "own3"],
        "act": ["close"],
        "key": ["ranking", "standings", "table", "qualified"],
        "series_slug": list(ClubSeries.objects.values_list("slug", flat=True)),
        "outside_id": list(OutsideEvent.objects.values_list("pk", flat=True)) or [1],
        "event_id": list(ClubEvent.objects.values_list("pk", flat=True)),
    }
    of_one: dict[str, list[Any]] = {
        "rules_game": ["schieber"],
        "manual": ["players"],
        "persons_evening": list(people),
        "follow": list(people),
        "overlay_of": [1, 2, 3],
        "overlay_names_of": [1],
    }
    for pattern in patterns(get_resolver().url_patterns):
        if pattern.name is None or pattern.name in NOT_OF_A_CHAMPIONSHIP:
            continue
        names = [name for name in pattern.pattern.converters if name not in pattern.default_args]
        own = of_one.get(pattern.name)
        choices = [own if own and name in ("key", "number") else known[name] for name in names]
        for values in itertools.product(*choices):
            yield pattern.name, reverse(pattern.name, kwargs=dict(zip(names, values, strict=True)))


def patterns(found: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for one in found:
        if isinstance(one, URLResolver):
            yield from patterns(one.url_patterns)
        else:
            yield one


def collect(looks: Client, etags: dict[str, str], only: Collection[str]) -> Answers:
    """What each address, or only these, says; where it had an ETag before, also to who brings that."""
    found: Answers = {}

    def keep(what: str, answer: Any) -> None:
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        headers = {name: text for name, text in answer.headers.items() if name != "Expires"}
        found[what] = (answer.status_code, TOKEN.sub(b"token", content), headers)

    game = str(Table.objects.get(number=1).game_id)
    for name, address in addresses():
        if only and address not in only:
            continue
        for query in ({}, *ASKED.get(name, ())):
            asked = {key: value.replace("{game}", game) for key, value in query.items()}
            keep(f"{address} {asked}", looks.get(address, asked))
        if address in etags:
            keep(f"{address} part", looks.get(address, headers=PARTS))
        if known := etags.get(address):
            keep(f"{address} known", looks.get(address, headers=PARTS | {"If-None-Match": known}))
    if only:
        return found
    for one in Table.objects.exclude(number=QUIET).order_by("number"):
        to = f"/api/v1/games/{one.game_id}/commands/"
        for seq in (None, 5, 60):
            sent: dict[str, Any] = {
                "command_id": f"x{seq}",
                "command": {"cmd": "play", "seat": 0, "card": "SA"},
            }
            sent |= {} if seq is None else {"expected_seq": seq}
            keep(f"{to} {seq}", looks.post(to, sent, content_type="application/json"))
        for deal in (1, 2):
            keep(
                f"worth {one.number} {deal}",
                looks.post(reverse("deal_worth", args=[one.game_id]), {"deal": deal}),
            )
        keep(
            f"call {one.number}",
            looks.post(reverse("dispute_raise", args=[one.game_id]), {"at_seq": 30, "text": "?"}),
        )
    return found


def forget() -> None:
    for module in (game_state, delayed_broadcast):
        module.KEPT.clear()
    cache.clear()
    forget_what_is_shared()


def world(
    evening: Evening,
    happens: Callable[[], None],
    role: str,
    monkeypatch: pytest.MonkeyPatch,
    after: int = 0,
    only: Collection[str] = (),
) -> Answers:
    """What somebody finds four minutes later, or so many more; nothing of it has happened afterwards."""
    then, written = evening.clock.now, evening.written
    found: Answers = {}
    try:
        with transaction.atomic():
            forget()
            looks = evening.client_of(role)
            chance(monkeypatch)
            etags = {}
            for name, address in addresses():
                if name in ETAGS and "ETag" in (answer := looks.get(address, headers=PARTS)).headers:
                    etags[address] = answer.headers["ETag"]
            happens()
            while evening.clock.now < then + timedelta(minutes=MINUTES - 1 + after):
                evening.clock.go_on(1)
            chance(monkeypatch)
            found = collect(looks, etags, only)
            raise Undone
    except Undone:
        pass
    evening.clock.now, evening.written = then, written
    return found


def differences(one: Answers, other: Answers) -> list[str]:
    assert one.keys() == other.keys()
    return [what for what in one if one[what] != other[what]]


def shown_difference(what: str, one: Answers, other: Answers) -> str:
    (status, body, headers), (status_, body_, headers_) = one[what], other[what]
    if (status, headers) != (status_, headers_):
        return f"{what}: {status} {headers} or {status_} {headers_}"
    at = next(
        (at for at, (a, b) in enumerate(zip(body, body_, strict=False)) if a != b), min(len(body), len(body_))
    )
    return f"{what}: {body[max(0, at - 90) : at + 60]!r} or {body_[max(0, at - 90) : at + 60]!r}"


@pytest.fixture
def evening(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Evening:
    count_rows_again()
    made = Evening(clock)
    made.begin()
    clock.go_on(MINUTES + 1)
    return made


@pytest.mark.long(1)
@pytest.mark.parametrize("role", STRANGERS)
def test_the_last_minutes_leave_no_trace_for_who_has_no_part_in_them(
    role: str, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = world(evening, lambda: None, role, monkeypatch)
    busy = world(evening, evening.go_on, role, monkeypatch)
    found = differences(quiet, busy)
    assert not found, "\n".join(shown_difference(what, quiet, busy) for what in found[:20])
    assert len(quiet) > 300, "nothing was asked"


@pytest.mark.long
@pytest.mark.parametrize("role", ["anonymous"])
def test_once_the_delay_has_run_out_it_is_seen_by_everybody(
    role: str, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = world(evening, lambda: None, role, monkeypatch, after=MINUTES + 1)
    busy = world(evening, evening.go_on, role, monkeypatch, after=MINUTES + 1)
    told = {what.split(" ")[0] for what in differences(quiet, busy)}
    game = evening.game(1).pk
    assert {
        f"/api/v1/games/{game}/events/",
        f"/api/v1/games/{game}/log/",
        f"/g/{game}/print/",
        f"/g/{game}/preview.png",
        f"/c/{SLUG}/standings/",
        f"/c/{SLUG}/standings/projector/",
        f"/c/{SLUG}/tables/",
        f"/c/{SLUG}/rounds/1/",
        f"/c/{SLUG}/checkpoints/",
        f"/embed/c/{SLUG}/ranking/",
    } <= told


@pytest.mark.long(1)
@pytest.mark.parametrize("role", IN_TIME)
def test_who_has_a_part_in_it_sees_it_in_time(
    role: str, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the first test could not fail; and who has to act sees what he acts on: the desk at tables
    whose results it types."""
    game = evening.game(3 if role == "hanna" else 1).pk
    wanted = {f"/api/v1/games/{game}/events/", f"/api/v1/games/{game}/"}
    if role in ("fredi", "gabi", "hanna"):
        wanted |= {f"/c/{SLUG}/board/", f"/c/{SLUG}/rounds/1/", f"/c/{SLUG}/disputes/"}
    if role in ("fredi", "hanna"):
        wanted |= {f"/c/{SLUG}/rounds/1/results/"}
    quiet = world(evening, lambda: None, role, monkeypatch, only=wanted)
    busy = world(evening, evening.go_on, role, monkeypatch, only=wanted)
    assert {what.split(" ")[0] for what in differences(quiet, busy)} == wanted
    assert Dispute.objects.count() == 0
    assert Round.objects.get(pk=evening.round.pk).status == Round.Status.OPEN
    assert json.loads(client().get(f"/api/v1/games/{game}/").content)["snapshot"]["seq"] > 0
