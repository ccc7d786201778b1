"""The table and the activity of a person whom a spectator follows."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse

from frontend.presenters.tables import mark_of
from games.models import Game
from tournaments.models import Championship, Entry, Round, Seating, SitOut, Substitute, Table
from tournaments.regulations import Regulations

Doing = Literal[
    "plays", "paper", "done", "will_play", "sits_out", "replaced", "waits", "not_in", "away", "over"
]
HELD = (Round.Status.OPEN, Round.Status.DRAWN, Round.Status.CLOSED)
"""Statuses of the rounds by which a person is found: the open round, else the drawn one. A closed one only
gives its number.
"""


@dataclass(frozen=True, slots=True)
class PersonNow:
    """A person's current activity. `doing`: `plays` with cards or `paper`, at a running table; `done`: that
    table has finished; `will_play`: it has no game yet; `replaced`: a substitute plays; `sits_out`: the
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
    """Return where the person is, by this entry, one merged into it, or as a substitute. At most five
    queries.
    """
    rounds = list(championship.rounds.filter(status__in=HELD).order_by("number"))
    now = next((one for status in HELD[:2] for one in rounds if one.status == status), None)
    if championship.status == Championship.Status.FINISHED:
        return PersonNow("over")
    if now is None:
        left = entry.status == Entry.Status.WITHDRAWN
        return PersonNow("away" if left else "waits", rounds[-1].number if rounds else 0)
    own = frozenset({entry.pk, *entry.merged.values_list("pk", flat=True)})
    found = _find_chair(now, own)
    if isinstance(found, PersonNow):
        return found
    table, seat = found
    mark = mark_of(table.number, seat, chips=regulations.chips())
    game = table.game
    if game is None:
        return PersonNow("will_play", now.number, table.number, mark)
    hidden = game.visibility == Game.Visibility.PRIVATE
    return PersonNow(_game_activity(game), now.number, table.number, mark, "" if hidden else game.pk)


def _game_activity(game: Game) -> Doing:
    if game.status in Game.OVER:
        return "done"
    return "paper" if game.mode == Game.Mode.SHEET else "plays"


def _find_chair(now: Round, own: Collection[int]) -> tuple[Table, int] | PersonNow:
    """Return the person's table and seat in this round; if they have no chair, the activity that says why."""
    seated = Seating.objects.filter(round=now, entry__in=own).select_related("table__game").first()
    changes = list(Substitute.objects.filter(table__round=now).select_related("table__game").order_by("deal"))
    last = {(one.table_id, one.seat): one for one in changes}
    taken = next((one for one in last.values() if one.entry_id in own), None)
    if taken is not None:
        return taken.table, taken.seat
    if seated is not None:
        if (seated.table_id, seated.seat) not in last:
            return seated.table, seated.seat
        return PersonNow("replaced", now.number, seated.table.number)
    out = SitOut.objects.filter(round=now, entry__in=own).exists()
    return PersonNow("sits_out" if out else "not_in", now.number)
