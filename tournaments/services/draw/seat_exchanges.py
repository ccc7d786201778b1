"""Exchange of chairs between two people, at tables with physical cards or before the round opens."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from django.utils.translation import gettext_lazy as _

from games import store
from games.appending import record
from games.models import Game, Seat
from games.projections import delayed_broadcast
from games.rights import seats
from games.store import StoredEvent
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import SeatsExchanged
from tournaments.models import Entry, Round, Seating
from tournaments.names import clean
from tournaments.notices import occasions
from tournaments.permissions import Actor, may, require
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import deck_numbers, encounters
from tournaments.services.draw.seated import find_seating, require_drawn_or_open, require_not_dealt
from tournaments.services.seats import same_cards, table_rights

MAX_REASON_LENGTH: Final = 200


class Chair(NamedTuple):
    table: int
    seat: int


class ChairExchange(NamedTuple):
    """An exchange of chairs after the draw.

    `one`, `other`: each person's reference with their new chair. `by_lot`: the draw for forehand caused the
    exchange, which was possible until 24 November 2026.
    """

    at: datetime
    one: tuple[str, Chair]
    other: tuple[str, Chair]
    by_lot: bool


def list_exchanges(round_: Round, events: Sequence[StoredEvent] | None = None) -> list[ChairExchange]:
    """List the exchanges since the last draw, in order. `events`: the events of the round,
    if loaded already.
    """
    found: list[ChairExchange] = []
    sits: dict[Chair, str] = {}
    for event in store.read(round_.stream_id, parts=False) if events is None else events:
        if event.type == "seats_drawn":
            tables = enumerate(event.body["tables"], 1)
            found, sits = [], {Chair(t, seat): ref for t, refs in tables for seat, ref in enumerate(refs)}
        elif event.type == "tables_drawn":
            tables = enumerate(event.body["tables"], event.body["first"])
            sits |= {Chair(t, seat): ref for t, refs in tables for seat, ref in enumerate(refs)}
        elif event.type == "chair_taken":
            sits[Chair(event.body["table"], event.body["seat"])] = event.body["player"]
        elif (changed := exchanged_chairs(event)) is not None:
            one, other = changed
            sits[one], sits[other] = sits[other], sits[one]
            at, by_lot = datetime.fromisoformat(event.recorded_at), event.type == "forehand_drawn"
            found.append(ChairExchange(at, (sits[one], one), (sits[other], other), by_lot))
    return found


def exchanged_chairs(event: StoredEvent) -> tuple[Chair, Chair] | None:
    """Return the two chairs that the event exchanges; None if it exchanges none."""
    body = event.body
    if event.type == "seats_exchanged":
        one, other = (Chair(*place) for place in zip(body["tables"], body["seats"], strict=True))
        return one, other
    if event.type == "forehand_drawn" and body.get("exchanged"):
        table, dealer = deck_numbers.table_number(body["number"]), body["dealer"]
        return Chair(table, dealer), Chair(table, (dealer + 2) % 4)
    return None


def exchange_seats(
    round_: Round, one: int, other: int, *, actor: Actor, seen: int | None = None, reason: str = ""
) -> tuple[Entry, Entry]:
    """Exchange the chairs of two entries for the whole round, and return the entries.

    `one`, `other`: entry numbers. Earlier results at a chair count for the person who gets it. A second call
    with these numbers undoes the exchange. `seen`: number of exchanges that the caller was shown, so that a
    double press does not undo it. Once one of the tables has a result, only a referee may do it, with a
    `reason`.

    Raises NotAllowed `chairs/results_exist`, TournamentError `chairs/reason_missing`, `chairs/round_over`,
    `chairs/changed_since`, `chairs/one_person`, `chairs/not_seated`, `chairs/other_team`,
    `chairs/tables_begun`; `chairs/dealt` at open tables with cards dealt online, where a seat belongs to a
    phone or an account.
    """
    with locks.for_official(round_.championship, actor, "reseat") as (championship, ref):
        locked_round = locks.lock_round(round_.pk)
        locked_round.championship = championship
        require_drawn_or_open(locked_round)
        if seen is not None and seen != len(list_exchanges(locked_round)):
            raise TournamentError(
                "chairs/changed_since",
                _("Chairs have been changed in the meantime: check the page as it is now."),
            )
        if one == other:
            raise TournamentError("chairs/one_person", _("Choose two people who change chairs."))
        both = find_seating(locked_round, one), find_seating(locked_round, other)
        encounters.require_same_team(both[0].entry, both[1].entry, load_regulations(championship))
        same_cards.require_not_begun(locked_round, [seating.table for seating in both])
        games = [seating.table.game for seating in both if seating.table.game is not None]
        for game in games:
            require_not_dealt(game.mode)
        seats.lock_games([game.pk for game in games])
        cleaned_reason = _reason_after_results(locked_round, games, actor, reason)
        _exchange_rows(*both)
        _update_games(locked_round, both)
        event = SeatsExchanged(
            tables=(both[0].table.number, both[1].table.number),
            seats=(both[0].seat, both[1].seat),
            players=(both[0].entry.player_ref, both[1].entry.player_ref),
            reason=cleaned_reason or msgspec.UNSET,
        )
        record(locked_round.stream_id, event, actor=ref)
        occasions.seats_changed(locked_round)
    return both[1].entry, both[0].entry


def _reason_after_results(round_: Round, games: Sequence[Game], actor: Actor, reason: str) -> str:
    """Return the referee's reason, which is required once one of the tables has a result. Otherwise return an
    empty text.
    """
    if not delayed_broadcast.have_results(games):
        require(actor, "enter", round_.championship)
        return ""
    if actor is not None and not may(actor, "rule", round_.championship):
        raise NotAllowed(
            "chairs/results_exist",
            _(
                "A result is entered at one of these tables: it would go to somebody else. Only a "
                "referee may change chairs now, with a reason."
            ),
        )
    cleaned_reason = clean(reason, longest=MAX_REASON_LENGTH, field="reason")
    if not cleaned_reason:
        raise TournamentError(
            "chairs/reason_missing",
            _("A result is entered at one of these tables: give the reason. It stays on record."),
        )
    return cleaned_reason


def _exchange_rows(one: Seating, other: Seating) -> None:
    """Exchange the entries of two seatings.

    Person and seat are unique in a round, so both rows are deleted before they are created again.
    """
    Seating.objects.filter(pk__in=[one.pk, other.pk]).delete()
    one.entry, other.entry = other.entry, one.entry
    one.pk = other.pk = None
    Seating.objects.bulk_create([one, other])


def _update_games(round_: Round, moved: tuple[Seating, Seating]) -> None:
    """Update the seats and access rows of the games. Officials regain their role at the table that they have
    left.
    """
    for seating in moved:
        if seating.table.game_id is not None:
            game = str(seating.table.game_id)
            Seat.objects.filter(game=game, number=seating.seat).update(player_ref=seating.entry.player_ref)
            table_rights.grant_seats({game: seating.seat}, seating.entry)
    for official in round_.championship.officials.filter(user__in=[s.entry.user_id for s in moved]):
        table_rights.grant_official(official)
