"""Who may see and do what at the tables: the `games.Access` rows of players and officials.

A referee who sits at a table himself sees no more there than his seat does, and does not rule on it.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from games.models import Access, Game
from games.rights import seats
from tournaments.models import Championship, Entry, Official, Seating, Table
from tournaments.regulations import Regulations

_ROLE_AT_TABLE = {Official.Role.DIRECTOR: "director", Official.Role.REFEREE: "referee"}
_WRITES_UP_PAPER = {Official.Role.DIRECTOR, Official.Role.DESK}


def officials_of(championship: Championship) -> list[Official]:
    """Everybody with an office."""
    return list(championship.officials.all())


def give_at_table(table: Table, officials: Sequence[Official]) -> None:
    """Seats to the players who have an account, offices to the officials who do not play here."""
    seated = [s for s in table.seatings.all() if s.entry.user_id is not None]
    players = {s.entry.user_id for s in seated}
    game = str(table.game_id)
    rows = [_seat(game, s.entry, s.seat) for s in seated]
    for official in officials:
        if official.user_id not in players:
            rows += _offices(game, table.mode, official)
    Access.objects.bulk_create(rows, ignore_conflicts=True)


def visibility_of(championship: Championship, regulations: Regulations) -> str:
    """What people without any part in it see of a table; of a championship that is not public nothing."""
    return regulations.visibility if championship.public else Game.Visibility.PRIVATE


def show_or_hide(championship: Championship, regulations: Regulations) -> None:
    """The championship became public, or no longer is: so do its tables. Who only watched one that is played
    is let go at once.
    """
    games = Game.objects.filter(pk__in=_games_of(championship))
    games.update(visibility=visibility_of(championship, regulations))
    if not championship.public:
        played = games.exclude(status__in=[Game.Status.ENDED, Game.Status.CLOSED])
        seats.tell_of_seats(list(played.values_list("pk", flat=True)))


def give_to_official(official: Official) -> None:
    """Somebody was appointed: the tables that are open already are open to him too."""
    tables = Table.objects.filter(round__championship=official.championship_id, game__isnull=False)
    games = tables.exclude(seatings__entry__user=official.user_id).values_list("game_id", "mode")
    rows = [row for game, mode in games for row in _offices(str(game), mode, official)]
    Access.objects.bulk_create(rows, ignore_conflicts=True)


def take_from_official(official: Official) -> None:
    """Somebody was dismissed: what his office gave him is gone at every table. What he has sent and is not
    stored yet is refused, and his sockets are let go at once.
    """
    lost = Access.objects.filter(
        game__in=_games_of(official.championship), user=official.user_id, ref=official.ref
    ).exclude(role="seat")
    games = set(lost.values_list("game_id", flat=True))
    with transaction.atomic():
        seats.hold_seats(games)
        lost.delete()
        seats.tell_of_seats(games)


def give_to_player(entry: Entry) -> None:
    """An account was linked to an entry, or another one: the seats of the entry are its from now on."""
    seatings = Seating.objects.filter(entry=entry, table__game__isnull=False)
    places = {str(game): chair for game, chair in seatings.values_list("table__game_id", "seat")}
    give_seats(places, entry)


def give_seats(places: Mapping[str, int], entry: Entry) -> None:
    """These seats of the entry, by game, are its account's, who has no office there."""
    seats.give_to_account(places, entry.player_ref, entry.user)
    if entry.user_id is not None:
        Access.objects.filter(game__in=places, user=entry.user_id).exclude(role="seat").delete()


def _games_of(championship: Championship) -> list[str]:
    tables = Table.objects.filter(round__championship=championship, game__isnull=False)
    return [str(game) for game in tables.values_list("game_id", flat=True)]


def _seat(game: str, entry: Entry, seat: int) -> Access:
    if entry.user is None:
        raise ValueError(f"entry {entry.pk} has no account")
    return Access(game_id=game, user=entry.user, role="seat", seat=seat, ref=entry.player_ref)


def _offices(game: str, mode: str, official: Official) -> list[Access]:
    """What an office opens at a table. Director and desk type in what was written on paper."""
    office = Official.Role(official.role)
    roles = [_ROLE_AT_TABLE[office]] if office in _ROLE_AT_TABLE else []
    if mode != Game.Mode.DEALT and office in _WRITES_UP_PAPER:
        roles.append("scorer")
    return [Access(game_id=game, user_id=official.user_id, role=role, ref=official.ref) for role in roles]
