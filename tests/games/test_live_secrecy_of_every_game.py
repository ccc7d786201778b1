"""Every game over sockets in two worlds: hidden facts change no byte and no length of a frame.

For each game the worlds are played once (`tests/games/live_twin_tables.py`), with sockets of all people open,
also of those who come by a code or lose their place meanwhile. The tests compare the recorded frames.
"""

import itertools
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.conf import settings

from engine import VARIANTS, Observer
from games.observed import frames
from tests.engine.random_games import EFFORT
from tests.games.live_server import WebProcess, web_process
from tests.games.live_twin_tables import Kind, Played, Table, drawn, play
from tests.games.twin_games import HIDDEN

ON = "postgresql" if settings.DATABASES["default"]["ENGINE"].endswith("postgresql") else "sqlite"
pytestmark = [
    pytest.mark.both,
    pytest.mark.slow,
    pytest.mark.parametrize("database_template", [ON], indirect=True),
]
GAMES = [(variant, seats) for variant in VARIANTS for seats in VARIANTS[variant].seats]
HANDS = {key: {"hand"} for key in VARIANTS}
PLACES = {
    Kind(deal=1, commands=20, change_after=3): {**HIDDEN, "schieber": {"hand", "own hand face down"}},
    Kind(deal=2, commands=5, change_after=0): HANDS,
    Kind(deal=1, commands=10, change_after=3, mode="transcribed"): HIDDEN,
}
"""Where something has to lie hidden from somebody; a first deal goes on until everything is put away."""


# --- the tests --------------------------------------------------------------------------------------------


SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.games.crowded_settings"}


@pytest.fixture(scope="module")
def leaking(web: WebProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A web process that takes nothing out, at the same tables."""
    folder = tmp_path_factory.mktemp("leaking")
    with web_process(folder, {"DJANGO_SETTINGS_MODULE": "tests.games.leaking_settings"}) as process:
        yield process


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def games(web: WebProcess, request: pytest.FixtureRequest) -> list[Played]:
    """A first deal, a second one and one that is written down, several of each with PUUR_EFFORT."""
    variant, seats = request.param
    with pytest.MonkeyPatch.context() as monkeypatch:
        return [
            play(web, monkeypatch, steps, kind)
            for kind, places in PLACES.items()
            for steps in itertools.islice(drawn(variant, seats, kind, places[variant]), EFFORT)
        ]


class Pair(NamedTuple):
    """The last frames of an observer in two worlds, and whether they have to be equal."""

    what: str
    name: str
    head: int
    who: Observer
    alike: bool
    one: str
    other: str


def pairs(games: list[Played]) -> Iterator[Pair]:
    for game in games:
        first, *others = game.tables
        for table in others:
            assert list(table.told) == [key for key in first.told if key in table.told]
            for (head, what, name), text in table.told.items():
                alike = head <= table.twin.until[name]
                yield Pair(what, name, head, game.people[name], alike, first.told[head, what, name], text)


@pytest.mark.long(1)
def test_what_lies_hidden_changes_no_byte_for_who_must_not_know(games: list[Played]) -> None:
    differ = [pair for pair in pairs(games) if pair.alike and pair.one != pair.other]
    assert not differ


@pytest.mark.long(3)
def test_what_is_known_to_somebody_changes_no_length_for_others_to_see(games: list[Played]) -> None:
    private = [pair for pair in pairs(games) if frames.is_private(pair.who) and not pair.alike]
    assert not [pair for pair in private if len(pair.one) != len(pair.other)]
    assert [pair for pair in private if pair.one != pair.other], "the worlds do differ"


@pytest.mark.long(3)
def test_each_place_is_compared_for_everybody_from_whom_something_lies_in_it(games: list[Played]) -> None:
    for game in games:
        compared: dict[str, set[str]] = {name: set() for name in game.people}
        for table in game.tables[1:]:
            for head, _, name in table.told:
                if head <= table.twin.until[name]:
                    compared[name] |= table.twin.places[name]
        assert compared == game.hidden
        assert {name for name, who in game.people.items() if not compared[name]} == {
            name for name, who in game.people.items() if who == Observer.referee()
        }


@pytest.mark.long(1)
def test_without_redaction_each_place_would_be_found(leaking: WebProcess, games: list[Played]) -> None:
    for game in games:
        one, *twins = game.tables
        compared, found = set[tuple[str, str]](), set[tuple[str, str]]()
        shown = {name: first_events(leaking, one, name) for name in game.people}
        for twin in twins:
            for name, places in twin.twin.places.items():
                new = {(name, place) for place in places} - compared
                if new:
                    compared |= new
                    mine, until = first_events(leaking, twin, name), twin.twin.until[name]
                    if mine[: until + 1] != shown[name][: until + 1]:
                        found |= new
        assert found == compared


def first_events(web: WebProcess, table: Table, name: str) -> list[Any]:
    with web.connect(table.game, additional_headers=dict(table.signed[name])) as line:
        return list(json.loads(line.text("events"))["events"])
