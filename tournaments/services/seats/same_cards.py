"""Rules for rounds in which all tables play the same cards: nobody plays a deal whose cards they may know.

The rows of such tables show a deal only when all tables have played it (`games.projections.same_cards`). This
module contains the other rules. A person who has had a seat at one table gets none at another. Nobody gets a
seat late once a deal has been shown. An official who plays has no access to other tables.
"""

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _

from games import store
from games.models import Game, User
from games.projections import delayed_broadcast
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Round, Table
from tournaments.services.current_regulations import load_regulations
from tournaments.services.seats.players_at_tables import tables_with

_SEATING_EVENTS = ("chair_taken", "substitute_named")
"""Events that give a chair to one person. `seats_exchanged` gives two chairs to two people."""


def are_same(championship: Championship) -> bool:
    """Return whether all tables of a round play the same cards in this championship. At most one query."""
    return load_regulations(championship).plays_same_cards


def is_deal_shown(round_: Round) -> bool:
    """Return whether the public has seen anything of a deal of this round. One query."""
    return Game.objects.filter(tournament_table__round=round_, deal__gt=0).exists()


def require_nothing_shown(round_: Round) -> None:
    """Raise TournamentError `chairs/cards_known` if people who get a seat now may have seen a deal of this
    round.
    """
    if round_.status == Round.Status.OPEN and are_same(round_.championship) and is_deal_shown(round_):
        raise TournamentError(
            "chairs/cards_known",
            _(
                "All tables of round %(round)s play the same cards, and the first deal has been "
                "shown: late arrivals play from the next round on."
            ),
            round=round_.number,
        )


def require_not_played(round_: Round, entry: Entry, table: Table) -> None:
    """Raise TournamentError `chairs/cards_played` if the person has had a seat at another table since the
    last draw.

    Raised only in an open round whose tables all play the same cards.
    """
    if round_.status != Round.Status.OPEN or not are_same(round_.championship):
        return
    own_tables: set[int] = set()
    for event in store.read(round_.stream_id, parts=False):
        if event.type == "seats_drawn":
            own_tables = {at for at, refs in enumerate(event.body["tables"], 1) if entry.player_ref in refs}
        elif event.type in _SEATING_EVENTS and event.body["player"] == entry.player_ref:
            own_tables.add(event.body["table"])
        elif event.type == "seats_exchanged" and entry.player_ref in event.body["players"]:
            # Before play, or at one table: the chair that the person left has shown them nothing.
            at = event.body["players"].index(entry.player_ref)
            own_tables = own_tables - {event.body["tables"][1 - at]} | {event.body["tables"][at]}
    if own_tables - {table.number}:
        raise TournamentError(
            "chairs/cards_played",
            _(
                "%(name)s has had a seat at table %(other)s, which plays the same cards: choose "
                "somebody for table %(table)s who has not seen them."
            ),
            name=entry.name,
            other=min(own_tables - {table.number}),
            table=table.number,
        )


def require_not_begun(round_: Round, tables: Collection[Table]) -> None:
    """Raise TournamentError `chairs/tables_begun` if these are several tables with the same cards, and one
    has begun.

    People who change between the tables would get cards that they have seen.
    """
    if len({table.pk for table in tables}) < 2 or not are_same(round_.championship):
        return
    games = [table.game for table in tables if table.game is not None]
    if any(delayed_broadcast.current_game(game).deal for game in games):
        raise TournamentError(
            "chairs/tables_begun",
            _("These tables play the same cards, and one has begun: nobody may change between them."),
        )


def plays_now(user: User | int, round_: Round | None) -> bool:
    """Return whether a user plays in this round, also as a substitute. False unless the round is open and all
    its tables play the same cards.

    Two queries at most.
    """
    if round_ is None or round_.status != Round.Status.OPEN or not are_same(round_.championship):
        return False
    return tables_with(user).filter(round=round_).exists()
