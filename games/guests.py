"""Guest tables: games against bots for a person without an account.

The session holds the code of the table, other visitors cannot see the table, and a sweep removes it once it
is abandoned.

Limits protect the platform from guests who open many tables. A session has one table; an address and all
guests together have a budget per time span; at most MAX_GUEST_TABLES tables exist at once, and a new one
replaces the one abandoned longest ago. The log keeps each game, so there is a daily limit, and no guest table
opens while the disk is nearly full.
"""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine import VARIANTS
from games.bots.runner import BOT
from games.errors import Forbidden, Malformed, TooMuch, TryLater
from games.ids import new_id
from games.messaging.rate_limit import Budget
from games.models import Deadline, Game, GuestTable, TableToken
from games.models.accounts import Role
from games.monitoring import condition
from games.play.game_creation import create_game
from games.rights import seats, tokens

ADDRESS_BUDGET: Final = Budget("guest-tables-address", most=150, seconds=600)
"""Budget of an address. It is large enough for a hall behind one address whose players try a game."""
ALL_GUESTS_BUDGET: Final = Budget("guest-tables-all", most=600, seconds=600)
ADDRESS_DAY_BUDGET: Final = Budget("guest-tables-address-day", most=600, seconds=86_400)
ALL_GUESTS_DAY_BUDGET: Final = Budget("guest-tables-day", most=3_000, seconds=86_400)
"""Daily budget of all guests: some 600 MB of log, at 200 KB a game that is played to its end."""
MAX_GUEST_TABLES: Final = 200
ABANDONED_AFTER: Final = timedelta(minutes=3)
"""Time without a move after which a new table may replace a table."""
IDLE_LIFETIME: Final = timedelta(hours=1)
"""Lifetime of a table after its last move, whether the game is over or not."""
BOT_PACE: Final = 0.7
DEAL_PAUSE: Final = 4.0
SWEEP_BATCH_SIZE: Final = 50
OWN_SEAT: Final = 0


def open_guest_table(variant: str, session: SessionBase, network: str, *, name: str | None = None) -> Game:
    """Open a new table and seat this session at it, in place of its earlier table. The session gets a new
    key. Returns the game.

    `network`: the network of the request. `name`: the guest's name at the table; None: the name at the
    earlier table. Raises Malformed `guests/no_such_game`, Forbidden `guests/has_a_seat`, TooMuch
    `guests/too_many_tables`, TryLater `guests/disk_low`; then no table has changed.
    """
    if variant not in VARIANTS:
        raise Malformed("there is no such game", code="guests/no_such_game")
    before = tokens.of_session(session)
    if before is not None and not GuestTable.objects.filter(game=before.game_id).exists():
        raise Forbidden("this session sits at a table of a championship", code="guests/has_a_seat")
    if condition.disk_is_low():
        raise TryLater("the disk is nearly full", code="guests/disk_low")
    if seconds := _seconds_to_wait(network):
        raise _too_many_tables(seconds)
    with transaction.atomic():
        if name is None:
            names = GuestTable.objects.filter(token=before).values_list("name", flat=True)
            name = names.first() or ""
        if before is not None:
            _delete_tables(GuestTable.objects.filter(token=before))
        elif GuestTable.objects.count() >= MAX_GUEST_TABLES:
            _make_room()
        count = max(VARIANTS[variant].seats)
        game = create_game(
            variant=variant,
            seats=count,
            players=[new_id() for _ in range(count)],
            bots={seat: BOT for seat in range(count) if seat != OWN_SEAT},
            bot_pace=BOT_PACE,
            deal_pause=DEAL_PAUSE,
            visibility=Game.Visibility.PRIVATE,
        )
        ref = game.seats.get(number=OWN_SEAT).player_ref
        session.cycle_key()
        row = tokens.admit(
            game, Role.SEAT, OWN_SEAT, ref, session, expires_at=timezone.now() + timedelta(days=1)
        )
        session[tokens.GUEST_KEY] = row.pk
        GuestTable.objects.create(game=game, token=row, name=name)
    return game


def find_own_table(session: SessionBase) -> Game | None:
    """Return the guest table of this session; None if it never had one, or the table is gone. No query if the
    session never had one.
    """
    if not tokens.is_guest(session):
        return None
    return Game.objects.filter(guest_table__token=session[tokens.GUEST_KEY]).first()


def is_guest_table(game: Game) -> bool:
    """Return whether the game is a guest table."""
    return GuestTable.objects.filter(game=game.pk).exists()


def load_guest_name(game: Game) -> str | None:
    """Return the name of the guest at a guest table, "" if the guest gave none; None if the game is no guest
    table.
    """
    return GuestTable.objects.filter(game=game.pk).values_list("name", flat=True).first()


def delete_idle_tables(now: datetime) -> int:
    """Delete at most 50 tables without a move for an hour, and return how many were deleted."""
    return _delete_tables(_idle_since(now - IDLE_LIFETIME)[:SWEEP_BATCH_SIZE])


def _make_room() -> None:
    if not _delete_tables(_idle_since(timezone.now() - ABANDONED_AFTER)[:1]):
        raise _too_many_tables(int(ABANDONED_AFTER.total_seconds()))


def _idle_since(moment: datetime) -> QuerySet[GuestTable]:
    return GuestTable.objects.filter(game__last_event_at__lt=moment).order_by("game__last_event_at")


def _delete_tables(tables: QuerySet[GuestTable]) -> int:
    """Delete tables with their seats, codes, results and deadlines, and return how many. The played events
    stay in the append-only log, under references that no longer lead to a person (ADR 6).
    """
    games = list(tables.values_list("game", flat=True))
    with transaction.atomic():
        seats.lock_games(games)
        Deadline.objects.filter(stream__in=games).delete()
        TableToken.objects.filter(game__in=games).delete()
        Game.objects.filter(pk__in=games).delete()
        seats.announce_seat_changes(games)
    return len(games)


def _seconds_to_wait(network: str) -> int:
    """Return the seconds to wait, 0 if the table may open. A request that the ten-minute budgets refuse does
    not count for the daily budgets.
    """
    now = ADDRESS_BUDGET.spend(network) or ALL_GUESTS_BUDGET.spend()
    return now or ADDRESS_DAY_BUDGET.spend(network) or ALL_GUESTS_DAY_BUDGET.spend()


def _too_many_tables(seconds: int) -> TooMuch:
    return TooMuch(
        "too many tables were opened here", code="guests/too_many_tables", minutes=-(-seconds // 60)
    )
