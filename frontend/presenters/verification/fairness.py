"""The public randomness of a round's cards, for the page on which a browser deals the cards again and
compares them.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from frontend.card_names import sprites
from frontend.presenters.verification.verify_words import VERIFY
from frontend.presenters.words.script_sentences import CATALOGUE
from games.models import Game
from games.randomness import round_seed
from games.rights import observers
from games.rights.claims import Principal
from games.store import StoredEvent
from tournaments.models import Round, Table
from tournaments.services.draw.seated import prefetch_people
from tournaments.services.draw.seed_entropy import DEVICE_PATTERN

TOLD = {"seed_committed", "entropy_added", "seats_drawn", "forehand_drawn", "round_opened", "seed_revealed"}
CARDS = ("suit.", "rank.", "card.")


@dataclass(frozen=True, slots=True)
class Chance:
    """One contribution to a seed. text: numbers typed in the hall, or, with `device`, a phone's random bytes
    in hex.
    """

    text: str
    device: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class SeedCourse:
    """Commitment and seed of a round, both in hex; the seed is empty while it is secret. `chances`:
    contributions to the seed; `draws`: number of seat draws; `opened`: play has begun.
    """

    commitment: str
    committed_at: datetime
    chances: tuple[Chance, ...]
    draws: int
    opened: bool
    seed: str

    @property
    def phones(self) -> int:
        return sum(chance.device for chance in self.chances)

    @property
    def from_the_hall(self) -> list[Chance]:
        return [chance for chance in self.chances if not chance.device]


def load_seed_course(events: list[StoredEvent]) -> SeedCourse:
    """Return commitment, contributions and seed of a round from the events of one seed."""
    first, *_ = [event for event in events if event.type == "seed_committed"]
    return SeedCourse(
        commitment=first.commitments["seed"],
        committed_at=_moment(first),
        chances=tuple(
            Chance(
                event.body["entropy"],
                DEVICE_PATTERN.fullmatch(event.body["entropy"]) is not None,
                _moment(event),
            )
            for event in events
            if event.type == "entropy_added"
        ),
        draws=sum(event.type == "seats_drawn" for event in events),
        opened=any(event.type in ("round_opened", "forehand_drawn") for event in events),
        seed=next((event.body["seed"] for event in events if event.type == "seed_revealed"), ""),
    )


def list_chance_events(events: list[StoredEvent]) -> list[StoredEvent]:
    """Return the events of randomness that belong to the newest seed of a round. `events`: of its stream."""
    last = round_seed.chapters_of(events)[-1]
    return [event for event in last.events if event.type in TOLD]


def build_fairness_data(
    round_: Round, events: list[StoredEvent], principal: Principal, mine: int | None
) -> dict[str, Any]:
    """Return the input of the page's script: the events, and the tables with dealt cards that this person may
    see. `mine`: primary key of the person's entry.
    """
    return {
        "events": [{"type": e.type, "body": _reduce_event(e), "commitments": e.commitments} for e in events],
        "tables": _tables(round_, principal, mine),
        "sprites": sprites(),
    }


def list_check_words() -> dict[str, str]:
    """Return the translated sentences and card names for the page's script."""
    cards = {key: text for key, text in CATALOGUE.items() if key.startswith(CARDS)}
    return {key: str(text) for key, text in {**cards, **VERIFY}.items()}


def _tables(round_: Round, principal: Principal, mine: int | None) -> list[dict[str, Any]]:
    """Return the tables dealt by the platform that the person may see, their own first."""
    visible = observers.list_visible_games(principal).filter(mode=Game.Mode.DEALT)
    rows = prefetch_people(
        Table.objects.filter(round=round_, game__in=visible).select_related("game").order_by("number")
    )
    found = []
    for table in rows:
        seats = table.seatings.all()
        found.append(
            {
                "table": table.number,
                "number": table.game.number if table.game else 0,
                "game": table.game_id,
                "names": [seating.entry.name for seating in seats],
                "mine": any(seating.entry_id == mine for seating in seats),
            }
        )
    return sorted(found, key=lambda table: not table["mine"])


def _reduce_event(event: StoredEvent) -> dict[str, Any]:
    """Return the body of an event; of a seat draw only its number and its seed."""
    if event.type == "seats_drawn":
        return {"draw": event.body["draw"], "seed": event.body["seed"]}
    return event.body


def _moment(event: StoredEvent) -> datetime:
    return datetime.fromisoformat(event.recorded_at)
