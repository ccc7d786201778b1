"""The table and activity of a person whom a spectator follows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.urls import reverse

from frontend.presenters.tables.tables import seat_mark
from games.models import Game
from tournaments.models import Bye, Championship, Entry, Round, Seating, Table, last_substitutions
from tournaments.regulations import Regulations
from tournaments.services.people.entry_persons import load_persons

Doing = Literal["plays", "paper", "done", "will_play", "bye", "replaced", "waits", "not_in", "away", "over"]
HELD = (Round.Status.OPEN, Round.Status.DRAWN, Round.Status.CLOSED)
"""Statuses of the rounds by which a person is found: the open ones, else the first drawn one. A closed one
only gives its number.
"""
_TABLE: Final = ("table__game", "table__round")


@dataclass(frozen=True, slots=True)
class PersonNow:
    """A person's current activity. `doing`: `plays` with cards or `paper`, at a running table; `done`: that
    table has finished; `will_play`: it has no game yet; `replaced`: a substitute plays; `bye`: the
    person has a bye; `not_in`: the person is not in this round; `waits`: for the next round; `away`: the
    person has left; `over`: the championship has ended. `mark`: label of the chair; `game`: id of the game if
    the table is public, else "".
    """

    doing: Doing
    round: int = 0
    table: int = 0
    mark: str = ""
    game: str = ""

    @property
    def at_a_table(self) -> bool:
        """Whether the person is at a table of the running round that can be watched."""
        return bool(self.game) and self.doing in ("plays", "paper", "done")

    @property
    def url(self) -> str:
        """The URL of the table; "" if the table is not public or has no game."""
        return reverse("table_live", args=[self.game]) if self.game else ""


def find_player(championship: Championship, entry: Entry, regulations: Regulations) -> PersonNow:
    """Return what the person does now. The person is found by this entry, entries merged into it, other
    starts, and as a substitute. At most five queries.
    """
    rounds = list(championship.rounds.filter(status__in=HELD).order_by("number"))
    now = [one for one in rounds if one.status == Round.Status.OPEN]
    now = now or [one for one in rounds if one.status == Round.Status.DRAWN][:1]
    if championship.status == Championship.Status.FINISHED:
        return PersonNow("over")
    if not now:
        left = entry.status == Entry.Status.WITHDRAWN
        return PersonNow("away" if left else "waits", rounds[-1].number if rounds else 0)
    chair = _find_chair(now, _own_keys(championship, entry, regulations))
    if isinstance(chair, PersonNow):
        return chair
    table, seat = chair
    mark = seat_mark(table.number, seat, chips=regulations.chips())
    game = table.game
    if game is None:
        return PersonNow("will_play", table.round.number, table.number, mark)
    hidden = game.visibility == Game.Visibility.PRIVATE
    return PersonNow(_game_activity(game), table.round.number, table.number, mark, "" if hidden else game.pk)


def _own_keys(championship: Championship, entry: Entry, regulations: Regulations) -> frozenset[int]:
    """Return the primary keys of all entries of the person. One query."""
    if regulations.has_queue:
        persons = load_persons(championship.pk)
        return frozenset(pk for pk, person in persons.items() if person == persons[entry.pk])
    return frozenset({entry.pk, *entry.merged.values_list("pk", flat=True)})


def _game_activity(game: Game) -> Doing:
    if game.status in Game.OVER:
        return "done"
    return "paper" if game.mode == Game.Mode.SHEET else "plays"


def _find_chair(rounds: Sequence[Round], own: Collection[int]) -> tuple[Table, int] | PersonNow:
    """Return the person's table and seat in these rounds, a running table before one that is over; if they
    have no chair, the activity that says why.
    """
    seated = Seating.objects.filter(round__in=rounds, entry__in=own).select_related(*_TABLE).order_by("-pk")
    drawn = {(one.table_id, one.seat): one.table for one in seated}
    substitutions = last_substitutions().filter(table__round__in=rounds).select_related(*_TABLE)
    last = {(one.table_id, one.seat): one for one in substitutions.order_by("deal")}
    chairs = [(one.table, one.seat) for one in last.values() if one.entry_id in own]
    chairs += [(table, seat) for (pk, seat), table in drawn.items() if (pk, seat) not in last]
    if chairs:
        return min(chairs, key=lambda chair: chair[0].game is not None and chair[0].game.status in Game.OVER)
    if drawn:
        table = next(iter(drawn.values()))
        return PersonNow("replaced", table.round.number, table.number)
    out = Bye.objects.filter(round__in=rounds, entry__in=own).exists()
    return PersonNow("bye" if out else "not_in", rounds[0].number)
