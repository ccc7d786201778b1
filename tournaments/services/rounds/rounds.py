"""Opening, closing and reopening a round, the state of its tables, and starting clocks that
wait for players.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import IllegalCommand
from games import store
from games.appending import record
from games.models import Game, Seat
from games.play import waiting_for_players
from games.play.submit import submit
from games.projections import delayed_broadcast
from games.randomness import round_seed
from games.timers import deadlines
from tournaments.errors import TournamentError
from tournaments.events import RoundClosed, RoundOpened, RoundReopened
from tournaments.models import Round, Seating, Table
from tournaments.notices import occasions
from tournaments.permissions import Actor, require
from tournaments.services import broadcast_delay, championship_seals, locks
from tournaments.services.championships.regulations_change import freeze_regulations
from tournaments.services.current_regulations import load_regulations, round_or_session
from tournaments.services.draw import opening, substitutions
from tournaments.services.open_heat_queue import release_queue
from tournaments.services.scores import published_ranking, stored_credits
from tournaments.services.seats import same_cards, table_rights
from tournaments.services.seats.players_at_tables import load_accounts_at
from tournaments.typed_dates import wrong_moment

OPEN, CLOSE = "round_open", "round_close"
Progress = Callable[[int, int], None]
TABLES_PER_TRANSACTION: Final = 10
"""Tables opened in one transaction. This takes some hundred milliseconds, while other writers wait."""


def _ignore_progress(done: int, total: int) -> None:
    pass


def set_mode(table: Table, mode: str, *, actor: Actor) -> Table:
    """Set how a table is played. `mode`: `dealt`, `transcribed` or `sheet`.

    Raises TournamentError `rounds/table_open` once the table has a game, and others of `rounds/…`.
    """
    require(actor, "open", table.round.championship)
    if mode not in Game.Mode.values:
        raise TournamentError("rounds/unknown_mode", _("There is no such kind of table."), mode=mode)
    with locks.locked_for(table.round.championship, actor, "open"):
        if mode != Game.Mode.DEALT and table.seatings.filter(entry__bot=True).exists():
            raise TournamentError(
                "rounds/bot_without_cards",
                _("A computer is seated at table %(table)s: it plays only if the platform deals."),
                table=table.number,
            )
        if mode == Game.Mode.DEALT and table.substitutes.exists():
            raise TournamentError(
                "rounds/substitute_named",
                _("Table %(table)s has a substitute: undo that before cards are dealt."),
                table=table.number,
            )
        if not Table.objects.filter(pk=table.pk, game__isnull=True).update(mode=mode):
            raise TournamentError(
                "rounds/table_open", _("Table %(table)s is already open."), table=table.number
            )
    table.mode = mode
    return table


def schedule_round(
    round_: Round, *, actor: Actor, opens_at: datetime | None = None, closes_at: datetime | None = None
) -> Round:
    """Set when the round opens and closes automatically. None: by hand.

    If `closes_at` is None and the regulations limit the minutes of a round, `open_round` sets it. Raises
    TournamentError `rounds/times`.
    """
    require(actor, "open", round_.championship)
    if opens_at is not None and closes_at is not None and closes_at <= opens_at:
        raise TournamentError("rounds/times", _("A round must close after it opens."))
    for moment in filter(None, (opens_at, closes_at)):
        if wrong := wrong_moment(moment):
            raise TournamentError("rounds/times", wrong[1])
    with locks.locked_for(round_.championship, actor, "open"):
        round_.opens_at, round_.closes_at = opens_at, closes_at
        round_.save(update_fields=["opens_at", "closes_at"])
        for kind, due_at in ((OPEN, opens_at), (CLOSE, closes_at)):
            if due_at is None:
                deadlines.disarm(kind, round_.stream_id)
            else:
                deadlines.arm(kind, round_.stream_id, due_at)
    return round_


def open_round(
    round_: Round,
    *,
    actor: Actor,
    bots: Mapping[int, Mapping[int, str]] | None = None,
    bot_pace: float = 1.0,
    table_options: Mapping[int, Mapping[str, Any]] | None = None,
    progress: Progress = _ignore_progress,
) -> Round:
    """Open a drawn round: freeze the regulations, and create a game for every table.

    Each transaction opens a few tables, so that others can write in between. Tables with a game are skipped,
    so an interrupted call can be repeated. `bots`: table → seat → name of the bot; `bot_pace`: seconds
    between two cards of a bot; `table_options`: table → further arguments of
    `games.play.game_creation.create_game` (turn_seconds, deal_pause); `progress`: called with the numbers of
    tables opened and of all tables. Raises TournamentError `rounds/…`.
    """
    with locks.for_official(round_.championship, actor, "open") as (_locked, ref):
        _lock_openable(round_)
        freeze_regulations(round_.championship, ref=ref)
    regulations = load_regulations(round_.championship)
    numbers = list(round_.tables.order_by("number").values_list("number", flat=True))
    for done in range(0, len(numbers), TABLES_PER_TRANSACTION):
        progress(done, len(numbers))
        with transaction.atomic():
            # The lock keeps appointments, dismissals and account links out: an earlier one is seen here, a
            # later one finds these games.
            championship = locks.lock_championship(round_.championship_id)
            locked_round = _lock_openable(round_)
            store.read_head(round_.stream_id, lock=True)
            waiting = Table.objects.filter(
                round=round_, game=None, number__in=numbers[done : done + TABLES_PER_TRANSACTION]
            )
            opening.open_tables(
                championship, locked_round, waiting, bots=bots, bot_pace=bot_pace, table_options=table_options
            )
    with transaction.atomic():
        _lock_openable(round_)
        opened = timezone.now()
        closes_at = round_.closes_at
        if closes_at is None and regulations.round_minutes:
            closes_at = opened + timedelta(minutes=regulations.round_minutes)
            deadlines.arm(CLOSE, round_.stream_id, closes_at)
        Round.objects.filter(pk=round_.pk).update(
            status=Round.Status.OPEN, opened_at=opened, closes_at=closes_at
        )
        games = Table.objects.filter(round=round_).order_by("number").values_list("game_id", "mode")
        event = RoundOpened(games=tuple(g for g, _mode in games), modes=tuple(mode for _g, mode in games))
        record(round_.stream_id, event, actor=ref, command_id=f"open:{round_.draws}")
        substitutions.seat_substitutes(round_)
        deadlines.disarm(OPEN, round_.stream_id)
        occasions.seats_changed(round_)
    progress(len(numbers), len(numbers))
    round_.refresh_from_db()
    return round_


def _lock_openable(round_: Round) -> Round:
    """Lock the round and check that it can be opened. Raises TournamentError `rounds/…`."""
    locked = locks.lock_round(round_.pk)
    if locked.status == Round.Status.OPEN:
        raise TournamentError(
            "rounds/already_open", _("Round %(round)s is already open."), round=locked.number
        )
    if locked.status != Round.Status.DRAWN:
        raise TournamentError("rounds/not_drawn", _("Round %(round)s is not drawn."), round=locked.number)
    earlier = Round.objects.filter(championship=locked.championship_id, number__lt=locked.number)
    unfinished = earlier.exclude(status=Round.Status.CLOSED).first()
    if unfinished is not None:
        raise TournamentError(
            "rounds/previous_open", _("Round %(round)s must be closed first."), round=unfinished.number
        )
    return locked


def close_round(
    round_: Round,
    *,
    actor: Actor,
    force: bool = False,
    reason: str = "",
    progress: Progress = _ignore_progress,
) -> Round:
    """Close an open round: give points for byes, reveal the seed, end the delay and publish the ranking.

    Raises TournamentError `rounds/tables_playing` while tables play, `rounds/not_open`,
    `rounds/already_closed`. `force`: break off the games of these tables instead, with the `reason`.
    `progress`: called with numbers of games broken off and to be broken off.
    """
    ref = require(actor, "close", round_.championship)
    round_.refresh_from_db()
    if round_.status == Round.Status.CLOSED:
        raise _closed_already(round_)
    if round_.status != Round.Status.OPEN:
        sentence = round_or_session(
            round_.championship, _("Round %(round)s is not open."), _("Session %(round)s is not open.")
        )
        raise TournamentError("rounds/not_open", sentence, round=round_.number)
    playing = list_unfinished(round_)
    if playing and not force:
        raise TournamentError(
            "rounds/tables_playing",
            _("Tables still playing: %(tables)s."),
            tables=", ".join(str(table.number) for table in playing),
            count=len(playing),
        )
    for done, table in enumerate(playing):
        progress(done, len(playing))
        command = {"cmd": "close", "reason": reason or "closed by the director"}
        try:
            with locks.locked_for(round_.championship, actor, "close"):
                submit(str(table.game_id), command, actor=ref, command_id=f"close:{round_.pk}")
        except IllegalCommand:
            if delayed_broadcast.current_game(Game.objects.get(pk=table.game_id)).status not in Game.OVER:
                raise
    with locks.locked_for(round_.championship, actor, "close"):
        now = timezone.now()
        mine = Round.objects.filter(pk=round_.pk, status=Round.Status.OPEN).update(
            status=Round.Status.CLOSED, closed_at=now
        )
        if not mine:
            raise _closed_already(round_)
        broadcast_delay.end_delay(round_)
        _return_offices(round_)
        stored_credits.store_bye_points(round_)
        release_queue(round_)
        round_seed.reveal_seed(round_.stream_id, actor=ref)
        numbers = tuple(table.number for table in playing)
        closed = RoundClosed(unfinished=numbers, reason=reason if numbers else "")
        record(round_.stream_id, closed, actor=ref)
        deadlines.disarm(CLOSE, round_.stream_id)
        published_ranking.publish(round_.championship, reason="round_closed", ref=ref)
        championship_seals.seal_if_possible(round_.championship)
    progress(len(playing), len(playing))
    round_.refresh_from_db()
    return round_


def _closed_already(round_: Round) -> TournamentError:
    sentence = round_or_session(
        round_.championship,
        _("Round %(round)s is already closed."),
        _("Session %(round)s is already closed."),
    )
    return TournamentError("rounds/already_closed", sentence, round=round_.number)


def _return_offices(round_: Round) -> None:
    """Give the officials who have played in this round access to its other tables again.

    Only where all tables play the same cards do they lose it.
    """
    if not same_cards.are_same(round_.championship):
        return
    played = load_accounts_at(round_.tables.all())
    for official in round_.championship.officials.filter(user__in=played):
        table_rights.grant_official(official)


def reopen_round(round_: Round, *, actor: Actor, reason: str) -> Round:
    """Reopen a closed round to correct its results.

    Raises TournamentError `rounds/not_closed`; `rounds/later_open` once a later round was opened, except in
    an open heat.
    """
    with locks.for_official(round_.championship, actor, "close") as (_locked, ref):
        locked = locks.lock_round(round_.pk)
        if locked.status != Round.Status.CLOSED:
            sentence = round_or_session(
                locked.championship,
                _("Round %(round)s is not closed."),
                _("Session %(round)s is not closed."),
            )
            raise TournamentError("rounds/not_closed", sentence, round=locked.number)
        later = Round.objects.filter(
            championship=locked.championship_id,
            number__gt=locked.number,
            status__in=[Round.Status.OPEN, Round.Status.CLOSED],
        ).first()
        if later is not None and not load_regulations(locked.championship).has_queue:
            raise TournamentError(
                "rounds/later_open",
                _(
                    "Round %(number)s has been fixed since round %(round)s was opened; correct a wrong "
                    "result instead."
                ),
                number=locked.number,
                round=later.number,
            )
        locked.status, locked.closed_at = Round.Status.OPEN, None
        locked.save(update_fields=["status", "closed_at"])
        locked.byes.update(points=None)
        record(locked.stream_id, RoundReopened(reason=reason), actor=ref)
    round_.refresh_from_db()
    return round_


def list_missing_players(round_: Round) -> dict[int, list[str]]:
    """Return table number → names of the people for whom the clock of the table waits. One query."""
    absent = Seat.objects.filter(
        game=OuterRef("table__game"), number=OuterRef("seat"), bot="", came_at=None, game__clock_waits=True
    )
    rows = Seating.objects.filter(Exists(absent), round=round_).select_related("entry", "table")
    found: dict[int, list[str]] = {}
    for seating in rows.order_by("table__number", "seat"):
        found.setdefault(seating.table.number, []).append(seating.entry.name)
    return found


def start_clocks(round_: Round, *, actor: Actor) -> int:
    """Start the clocks that wait for players at tables of the round; return the number of clocks started."""
    with locks.for_official(round_.championship, actor, "open"):
        waiting = Game.objects.filter(tournament_table__round=round_, clock_waits=True).order_by("pk")
        return sum(waiting_for_players.start_clock(pk) for pk in waiting.values_list("pk", flat=True))


def list_unfinished(round_: Round) -> list[Table]:
    """List the tables without a game, or whose game is neither ended nor broken off, by number. Delayed
    events count.
    """
    return [table for table, status in _tables_with_status(round_) if status not in Game.OVER]


def list_broken_off(round_: Round) -> list[Table]:
    """List the tables whose game was broken off, by number. Delayed events count."""
    return [table for table, status in _tables_with_status(round_) if status == Game.Status.CLOSED]


def _tables_with_status(round_: Round) -> list[tuple[Table, str]]:
    tables = round_.tables.select_related("game").order_by("number")
    return [
        (table, delayed_broadcast.current_game(table.game).status if table.game else "") for table in tables
    ]
