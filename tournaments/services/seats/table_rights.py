"""Rights at tables: writing the `games.models.Access` rows of players and officials, for `games.rights`.

A referee seated at a table sees no more of it than their seat does, and does not rule there. Where all tables
play the same cards, an official who plays in a round has no office at its other tables until the round is
closed.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.models import Access, Game
from games.rights import seats
from tournaments.models import Championship, Entry, Official, Round, Table
from tournaments.regulations import Regulations
from tournaments.services.seats import players_at_tables

_ROLE_AT_TABLE = {Official.Role.DIRECTOR: "director", Official.Role.REFEREE: "referee"}
_WRITES_UP_PAPER = {Official.Role.DIRECTOR, Official.Role.DESK}


def list_officials(championship: Championship) -> list[Official]:
    """List all officials of the championship."""
    return list(championship.officials.all())


def grant_table(table: Table, officials: Sequence[Official]) -> None:
    """Create the access rows of a table: seats for players with an account, roles for officials not seated at
    it.
    """
    seated = [s for s in table.seatings.all() if s.entry.user_id is not None]
    players = {s.entry.user_id for s in seated}
    game = str(table.game_id)
    rows = [_seat_row(game, s.entry, s.seat) for s in seated]
    for official in officials:
        if official.user_id not in players:
            rows += _official_rows(game, table.mode, official)
    Access.objects.bulk_create(rows, ignore_conflicts=True)


def table_visibility(championship: Championship, regulations: Regulations) -> str:
    """Return what readers without a role see of a table (`Game.Visibility`): as the regulations say; private
    if the championship is not public.
    """
    return regulations.visibility if championship.public else Game.Visibility.PRIVATE


def update_visibility(championship: Championship, regulations: Regulations) -> None:
    """Set the visibility of all tables after the championship became public or private.

    If the championship is private now, sockets of readers without a role are closed at once.
    """
    games = Game.objects.filter(pk__in=_game_ids(championship))
    games.update(visibility=table_visibility(championship, regulations))
    if not championship.public:
        played = games.exclude(status__in=Game.OVER)
        seats.announce_seat_changes(list(played.values_list("pk", flat=True)))


def grant_official(official: Official) -> None:
    """Give an official access to all tables with a game at which they do not play.

    While they play in an open round, tables with the same cards are left out.
    """
    tables = Table.objects.filter(round__championship=official.championship_id, game__isnull=False)
    # A player would see cards there that they have yet to play.
    own = players_at_tables.tables_with(official.user_id)
    playing = own.filter(round__status=Round.Status.OPEN)
    others = Game.objects.filter(
        round_stream=OuterRef("game__round_stream"), number=OuterRef("game__number")
    ).exclude(pk=OuterRef("game"))
    tables = tables.exclude(Exists(others), round__in=playing.values("round"))
    games = tables.exclude(pk__in=own.values("pk")).values_list("game_id", "mode")
    rows = [row for game, mode in games for row in _official_rows(str(game), mode, official)]
    Access.objects.bulk_create(rows, ignore_conflicts=True)


def revoke_official(official: Official) -> None:
    """Revoke a dismissed official's access at every table.

    Their commands that are not stored yet are refused, and their sockets are closed at once.
    """
    lost = Access.objects.filter(
        game__in=_game_ids(official.championship), user=official.user_id, ref=official.ref
    ).exclude(role="seat")
    games = set(lost.values_list("game_id", flat=True))
    with transaction.atomic():
        seats.lock_games(games)
        lost.delete()
        seats.announce_seat_changes(games)


def move_seats_to_account(entry: Entry) -> None:
    """Move the seats of an entry to its present account; without one, to no account."""
    grant_seats(players_at_tables.list_chairs(entry), entry)


def grant_seats(places: Mapping[str, int], entry: Entry) -> None:
    """Give the entry's seats (game → seat) to its account, and remove other roles of the account.

    Roles are removed at these tables and at all tables with the same cards.
    """
    seats.give_to_account(places, entry.player_ref, entry.user)
    if entry.user_id is not None:
        same_cards = [
            Q(round_stream=stream, number=number)
            for stream, number in Game.objects.filter(pk__in=places).values_list("round_stream", "number")
        ]
        games = Game.objects.filter(reduce(or_, same_cards)) if same_cards else Game.objects.none()
        lost = Access.objects.filter(game__in=games, user=entry.user_id).exclude(role="seat")
        others = set(lost.exclude(game__in=places).values_list("game_id", flat=True))
        lost.delete()
        if others:
            seats.announce_seat_changes(others)


def _game_ids(championship: Championship) -> list[str]:
    tables = Table.objects.filter(round__championship=championship, game__isnull=False)
    return [str(game) for game in tables.values_list("game_id", flat=True)]


def _seat_row(game: str, entry: Entry, seat: int) -> Access:
    if entry.user is None:
        raise ValueError(f"entry {entry.pk} has no account")
    return Access(game_id=game, user=entry.user, role="seat", seat=seat, ref=entry.player_ref)


def _official_rows(game: str, mode: str, official: Official) -> list[Access]:
    """Return the access rows of an official at a table.

    Director and desk may also enter results, unless the cards are dealt online.
    """
    office = Official.Role(official.role)
    roles = [_ROLE_AT_TABLE[office]] if office in _ROLE_AT_TABLE else []
    if mode != Game.Mode.DEALT and office in _WRITES_UP_PAPER:
        roles.append("scorer")
    return [Access(game_id=game, user_id=official.user_id, role=role, ref=official.ref) for role in roles]
