"""The coded places of a round's tables, each with its holder: code, account, phone, computer or nobody."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Prefetch
from django.utils.dateparse import parse_datetime

from games import store
from games.models import Access, TableToken
from games.models.accounts import Role
from games.rights import tokens
from tournaments.events import CodeRenewed, CodesIssued, SeatGivenBack
from tournaments.models import Entry, Round, Seating, Table
from tournaments.services.entries import seat_codes

COMPUTER, ACCOUNT, PHONE, OUT, NOBODY = "computer", "account", "phone", "out", "nobody"
FOR_ALL, ALONE, BACK = (event.__struct_config__.tag for event in (CodesIssued, CodeRenewed, SeatGivenBack))
Key = tuple[str, str, int | None]
"""Key of a place: id of the game, role, seat."""


class CodeChange(NamedTuple):
    """An event that issued codes or gave a seat back to an account.

    `at`: its time; `by`: the actor's reference; `back`: whether it gave a seat back.
    """

    at: datetime
    by: str
    back: bool


class CodeChanges(NamedTuple):
    """The latest changes of codes.

    of_games: id of a game → the change that gave all its places new codes; of_places: later changes of single
    places.
    """

    of_games: dict[str, CodeChange]
    of_places: dict[Key, CodeChange]


class CodePlace(NamedTuple):
    """A place that one code opens.

    `number`: index of the place at its table; `role`: role of the person who uses the code; `chairs`:
    seatings of the players or writers, empty for a table's scorer. `state`: the current holder, one of
    COMPUTER, ACCOUNT, PHONE, OUT (a code that nobody has used yet) and NOBODY. `back_to`: the drawn entry, if
    its account has lost the seat to a code. `issued`: the change that gave all places new codes; `changed`:
    the latest later change of this place alone.
    """

    table: Table
    number: int
    role: str
    chairs: tuple[Seating, ...]
    state: str
    back_to: Entry | None
    issued: CodeChange | None
    changed: CodeChange | None


def list_code_places(round_: Round, *, entry: Entry | None = None) -> list[CodePlace]:
    """List the coded places of the round's tables, by table and place. With `entry`, list only its places.

    The number of queries is constant.
    """
    seatings = Seating.objects.select_related("entry__user").order_by("seat")
    tables = Table.objects.filter(round=round_, game__isnull=False).select_related("game")
    if entry is not None:
        tables = tables.filter(seatings__entry=entry)
    found = list(tables.prefetch_related(Prefetch("seatings", seatings), "game__seats").order_by("number"))
    games = [str(table.game_id) for table in found]
    out = {(row.game_id, row.role, row.seat): row for row in tokens.select_valid_tokens(games)}
    accounts: dict[Key, set[int]] = defaultdict(set)
    for row in Access.objects.filter(game__in=games, role=Role.SEAT):
        accounts[row.game_id, row.role, row.seat].add(row.user_id)
    changes = _load_changes(round_)
    made = (place for table in found for place in _places_at_table(table, out, accounts, changes))
    return [place for place in made if entry is None or any(c.entry_id == entry.pk for c in place.chairs)]


def _places_at_table(
    table: Table, out: dict[Key, TableToken], accounts: dict[Key, set[int]], changes: CodeChanges
) -> Iterable[CodePlace]:
    game = table.game
    if game is None:
        return
    bots = {seat.number for seat in game.seats.all() if seat.bot}
    chairs = list(table.seatings.all())
    for number, (role, seat) in enumerate(seat_codes.code_places(game)):
        key = (game.pk, role, seat)
        here = tuple(chair for chair in chairs if chair.seat in seat_codes.seats_of_place(game, role, seat))
        state, back_to = _state(out.get(key), accounts.get(key, set())), None
        if role == Role.SEAT and seat in bots:
            state = COMPUTER
        elif role == Role.SEAT and here:
            back_to = _entry_that_lost_seat(here[0].entry, accounts.get(key, set()))
        issued, changed = changes.of_games.get(game.pk), changes.of_places.get(key)
        yield CodePlace(table, number, role, here, state, back_to, issued, changed)


def _state(code: TableToken | None, accounts: set[int]) -> str:
    if accounts:
        return ACCOUNT
    if code is None:
        return NOBODY
    return PHONE if code.uses_left == 0 else OUT


def _entry_that_lost_seat(entry: Entry, accounts: set[int]) -> Entry | None:
    plays = entry.user is not None and entry.user.is_active
    return entry if plays and entry.user_id not in accounts else None


def _load_changes(round_: Round) -> CodeChanges:
    games: dict[str, CodeChange] = {}
    alone: dict[Key, CodeChange] = {}
    for event in store.read(round_.stream_id, parts=False):
        at = parse_datetime(event.recorded_at) if event.type in (FOR_ALL, ALONE, BACK) else None
        if at is None:
            continue
        change = CodeChange(at, event.actor, event.type == BACK)
        if event.type == FOR_ALL:
            now = dict.fromkeys(event.body["games"], change)
            games |= now
            alone = {key: earlier for key, earlier in alone.items() if key[0] not in now}
        else:
            role = Role.SEAT if change.back else event.body["role"]
            alone[event.body["game"], str(role), event.body["seat"]] = change
    return CodeChanges(games, alone)
