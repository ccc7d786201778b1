"""A season of two evenings with a qualification, its file, and that file taken apart for a cheat."""

import hashlib
import io
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import msgspec

from games import sealing
from games.models import User
from games.sealing import SealKey
from tests.tournaments import table_play
from tests.verify.mutations import listed_again, sealed_again, unzipped, zipped
from tests.verify.record import Body, Event
from tournaments.archive.series_file import export_series
from tournaments.models import Championship, ClubSeries, Entry, Person
from tournaments.series.document import QualifyStep
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.series import editing, publishing, tickets
from tournaments.services.series.loading import load_series

PEOPLE: Final = ("Anna", "Beat", "Chiara", "Dario", "Elsbeth", "Fränzi", "Görgi", "Heidi")
STEPS: Final = (
    QualifyStep(kind="holder"),
    QualifyStep(kind="wild_card"),
    QualifyStep(kind="first", count=1, of="each"),
    QualifyStep(kind="best_rest", fill_to=6),
)

CATEGORY_STEPS: Final = (
    QualifyStep(kind="category", category="Frau", count=1),
    QualifyStep(kind="best_rest", fill_to=3),
)
TABLE_STEPS: Final = (QualifyStep(kind="holder"), QualifyStep(kind="table", count=3))
WOMEN: Final = ("Anna", "Chiara", "Elsbeth", "Heidi")
PUBLISHED: Final = {
    "table_published": "table",
    "team_table_published": "teams",
    "qualification_published": "qualification",
}


def play_evening(fredi: User, name: str, points: int, *, in_teams: bool = False) -> Championship:
    """Play two rounds of eight people to the end; each table's first side gets so many points, or more.

    in_teams: the people are of two teams, and of categories.
    """
    changes: dict[str, Any] = {"rounds": 2, "deals": 1, "hand_in": "deals"}
    if in_teams:
        changes["teams"] = {"size": 4, "best": 3}
    made = championships.create(actor=fredi, name=name, preset="einzelschieber", changes=changes)
    people = [
        entries.NewEntry(
            f"{one} Muster",
            status=Entry.Status.ARRIVED,
            team=("Rot", "Blau")[at % 2] if in_teams else "",
            category="Frau" if in_teams and one in WOMEN else "",
        )
        for at, one in enumerate(PEOPLE)
    ]
    entries.add_entries(made, people, actor=fredi)
    for planned in made.rounds.order_by("number"):
        round_ = drawing.draw_round(planned, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in round_.tables.order_by("number"):
            table_play.write_sheet(table, [points + 10 * table.number + planned.number])
        rounds.close_round(round_, actor=fredi)
    championships.finish(made, actor=fredi)
    return made


def build_series(wait: Callable[[], None]) -> ClubSeries:
    """Publish a table after each of two evenings, the second with a heavier weight, and one after people have
    answered. `wait`: a day passes.
    """
    fredi = User.objects.get_or_create(username="fredi")[0]
    first = play_evening(fredi, "Frühling", 90)
    wait()
    assert first.club is not None
    made = editing.create_series(first.club, name="Jahr", preset="season", actor=fredi)
    editing.set_qualification(made, steps=STEPS, level="lot", actor=fredi)
    editing.add_event(made, championship=first, actor=fredi)
    roll = {person.first_name: person for person in Person.objects.filter(club=made.club)}
    tickets.name_holder(made, roll["Anna"], actor=fredi)
    tickets.give_wild_card(made, roll["Beat"], reason="hat den Saal gebaut", actor=fredi)
    publishing.publish_table(made, actor=fredi)
    wait()
    second = play_evening(fredi, "Sommer", 100)
    wait()
    event = editing.add_event(made, championship=second, actor=fredi, reason="ging vergessen")
    editing.edit_event(event, weight=Decimal(2), reason="Beschluss der Versammlung", actor=fredi)
    publishing.publish_table(made, actor=fredi)
    loaded = load_series(made)
    assert loaded.qualification is not None
    tickets.decline(made, loaded.qualification.qualified[-1].ref, actor=fredi)
    tickets.accept_ticket(made, loaded.qualification.qualified[0].ref, actor=fredi)
    publishing.publish_table(made, actor=fredi)
    return made


def build_team_series(wait: Callable[[], None]) -> ClubSeries:
    """Publish the tables of persons and of teams after each of two evenings; the best woman qualifies."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    first = play_evening(fredi, "Frühling", 90, in_teams=True)
    wait()
    assert first.club is not None
    made = editing.create_series(first.club, name="Jahr", preset="two_games", actor=fredi)
    editing.set_qualification(made, steps=CATEGORY_STEPS, level="lot", actor=fredi)
    editing.add_event(made, championship=first, actor=fredi)
    publishing.publish_table(made, actor=fredi)
    wait()
    second = play_evening(fredi, "Sommer", 100, in_teams=True)
    wait()
    editing.add_event(made, championship=second, actor=fredi, reason="ging vergessen")
    publishing.publish_table(made, actor=fredi)
    return made


def build_table_series(wait: Callable[[], None]) -> ClubSeries:
    """Publish a table after each of three evenings; the title holder and the first 3 of the table qualify.

    The third evening is cancelled before it is played, and somebody declines.
    """
    fredi = User.objects.get_or_create(username="fredi")[0]
    first = play_evening(fredi, "Frühling", 90)
    wait()
    assert first.club is not None
    made = editing.create_series(first.club, name="Jahr", preset="season", actor=fredi)
    editing.set_qualification(made, steps=TABLE_STEPS, level="chain", actor=fredi)
    roll = {person.first_name: person for person in Person.objects.filter(club=made.club)}
    tickets.name_holder(made, roll["Anna"], actor=fredi)
    editing.add_event(made, championship=first, actor=fredi)
    publishing.publish_table(made, actor=fredi)
    wait()
    second = play_evening(fredi, "Sommer", 100)
    wait()
    editing.add_event(made, championship=second, actor=fredi, reason="ging vergessen")
    publishing.publish_table(made, actor=fredi)
    cancelled = editing.add_event(made, name="Herbst", actor=fredi)
    editing.edit_event(cancelled, state="cancelled", actor=fredi)
    loaded = load_series(made)
    assert loaded.qualification is not None
    tickets.decline(made, loaded.qualification.qualified[-1].ref, actor=fredi)
    tickets.accept_ticket(made, loaded.qualification.qualified[1].ref, actor=fredi)
    publishing.publish_table(made, actor=fredi)
    return made


def export_with_events(made: ClubSeries) -> tuple[bytes, str]:
    """Return the file of a series with those of its events, and the words of its last checkpoint."""
    out = io.BytesIO()
    loaded = load_series(made)
    names = {ref: one.names.running for ref, one in loaded.persons.items()}
    export_series(loaded, out, names=names, with_events=True)
    last = sealing.find_latest_checkpoint(str(made.stream_id))
    assert last is not None
    return out.getvalue(), " ".join(sealing.in_words(last.hash))


class SeriesRecord:
    """The file of a series taken apart. events: of its stream; tables: published ones."""

    def __init__(self, data: bytes) -> None:
        self.files = unzipped(data)
        self.stream = next(name for name in self.files if name.startswith("streams/"))
        self.head, *lines = (json.loads(line) for line in self.files[self.stream].splitlines())
        self.events = [Event(line) for line in lines]
        self.tables: Body = json.loads(self.files["series.json"])

    def first(self, type_: str, **body: Any) -> Event:
        return next(e for e in self.events if e.type == type_ and body.items() <= e.body.items())

    def insert(self, at: int, type_: str, body: Body) -> None:
        """One more event, as if it had been there."""
        near = self.events[at - 1].envelope
        kept = {name: near[name] for name in ("actor", "command_id", "recorded_at")}
        event = Event({"envelope": json.dumps({"seq": 0, "type": type_, "body": body, **kept})})
        self.events.insert(at, event)

    def place(self, type_: str, **body: Any) -> int:
        return self.events.index(self.first(type_, **body))

    def publish(self) -> None:
        """The digests of tables and qualifications that were bent, in the stream too."""
        for row in self.tables["snapshots"]:
            for type_, part in PUBLISHED.items():
                if row.get(part) is not None:
                    event = self.first(type_, version=row["version"])
                    event.body["digest"] = _digest(row[part])

    @property
    def last(self) -> Body:
        """The last table, with its qualification."""
        found: Body = self.tables["snapshots"][-1]
        return found

    def sealed(self, key: SealKey) -> bytes:
        """The file of what was bent: every checkpoint made anew, the list too, and signed with this key."""
        lines = [self.head, *(event.line(seq) for seq, event in enumerate(self.events))]
        files = {**self.files, self.stream: _lines(lines), "series.json": _lines([self.tables])}
        return zipped(listed_again(sealed_again(files, key), key))


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def _lines(rows: list[Any]) -> bytes:
    return b"".join(
        json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for row in rows
    )
