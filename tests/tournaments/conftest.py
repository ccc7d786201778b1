"""The cast of a championship: Fredi directs, Gabi rules, Eva watches, Anna, Beat, Chiara and Dario play."""

from collections.abc import Callable
from typing import Any

import pytest

from games.models import User
from tournaments import regulations
from tournaments.models import Championship, Entry, Official, Round
from tournaments.services.championships import championships, officials
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

NAMES = ["Anna", "Beat", "Chiara", "Dario", "Elsbeth", "Fränzi", "Görgi", "Heidi", "Idà", "Jürg", "Köbi"]
NAMES += ["Luzia", "Maja", "Noldi", "Otto", "Päuli", "Quirin", "Rosmarie", "Sämi", "Trudi"]


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws of low quality are enough: the search has its own tests."""
    monkeypatch.setattr("tournaments.pairing.solving._ITERATIONS", 40_000)


@pytest.fixture
def user(db: None) -> Callable[[str], User]:
    """Create a user with an account, by name."""

    def make(name: str) -> User:
        return User.objects.get_or_create(username=name.lower())[0]

    return make


@pytest.fixture
def fredi(user: Callable[[str], User]) -> User:
    return user("Fredi")


@pytest.fixture
def gabi(user: Callable[[str], User]) -> User:
    return user("Gabi")


@pytest.fixture
def eva(user: Callable[[str], User]) -> User:
    return user("Eva")


@pytest.fixture
def anna(user: Callable[[str], User]) -> User:
    return user("Anna")


@pytest.fixture
def championship(fredi: User, gabi: User) -> Championship:
    """A santiago championship in preparation, without entries."""
    made = championships.create(actor=fredi, name="Clubabend", place="Santiago")
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    return made


@pytest.fixture
def arrived(championship: Championship, fredi: User) -> Callable[[int], list[Entry]]:
    """Create this many entries that are present."""

    def make(count: int) -> list[Entry]:
        people = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in NAMES[:count]]
        return entries.add_entries(championship, people, actor=fredi)

    return make


@pytest.fixture
def open_round(
    championship: Championship, fredi: User, arrived: Callable[[int], list[Entry]]
) -> Callable[..., Round]:
    """Draw and open the first round that is not closed, eight people by default; modes table by table."""

    def make(*modes: str, people: int = 8) -> Round:
        if not championship.entries.exists():
            arrived(people)
        round_ = championship.rounds.exclude(status=Round.Status.CLOSED).earliest("number")
        drawing.draw_round(round_, actor=fredi)
        for table, mode in zip(round_.tables.order_by("number"), modes, strict=False):
            rounds.set_mode(table, mode, actor=fredi)
        return rounds.open_round(round_, actor=fredi)

    return make


@pytest.fixture
def former_regulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regulations are announced as by an earlier version, which did not say that averages are exact."""
    encode = regulations.encode

    def encode_formerly(held: regulations.Regulations) -> dict[str, Any]:
        return {name: value for name, value in encode(held).items() if name != "averages"}

    monkeypatch.setattr(regulations, "encode", encode_formerly)
