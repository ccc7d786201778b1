"""Replacing a drawn person: for the whole round, or by a substitute from a given deal on.

After a replacement for the whole round, the result counts for the new person. With a substitute, it counts
for the person who was drawn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import store
from games.appending import record
from games.models import Seat
from games.projections import delayed_broadcast
from games.rights import seats
from games.store import StoredEvent
from tournaments.errors import TournamentError
from tournaments.events import ChairTaken, SubstituteNamed
from tournaments.models import (
    Bye,
    Championship,
    Entry,
    Round,
    Seating,
    Substitute,
    Table,
    last_substitutions,
)
from tournaments.notices import occasions
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import encounters
from tournaments.services.draw.seated import find_seating, require_drawn_or_open, require_not_dealt
from tournaments.services.entries.pairs import has_fixed_pairs
from tournaments.services.open_heat_queue import mark_away, require_here
from tournaments.services.seats import same_cards, table_rights

OPENING_EVENTS = 1
"""Number of events that a game has before anybody enters anything."""


class Step(NamedTuple):
    """A replacement or substitution. People are given by their reference.

    `player`: the person who gets the chair; `instead`: the drawn person, empty for an additional chair.
    `deal`: the first deal of a substitute; None: a replacement for the whole round. `was_out`: `player` had a
    bye before.
    """

    at: datetime
    table: int
    seat: int
    player: str
    instead: str
    deal: int | None = None
    was_out: bool = False


def list_replacements(round_: Round, events: Sequence[StoredEvent] | None = None) -> list[Step]:
    """List the replacements and substitutions since the last draw, in order.

    `events`: the events of the round, if loaded already.
    """
    found: list[Step] = []
    out: set[str] = set()
    for event in store.read(round_.stream_id, parts=False) if events is None else events:
        body, at = event.body, datetime.fromisoformat(event.recorded_at)
        if event.type == "seats_drawn":
            found, out = [], set(body["sit_out"])
        elif event.type == "chair_taken":
            place = body["table"], body["seat"], body["player"], body["instead"]
            found.append(Step(at, *place, was_out=body["player"] in out))
            out = byes_after(out, event)
        elif event.type == "substitute_named":
            place = body["table"], body["seat"], body["player"], body["instead"]
            found.append(Step(at, *place, deal=body["deal"]))
    return found


def byes_after(out: Iterable[str], event: StoredEvent) -> set[str]:
    """Return the references of the people with a bye after a chair_taken event. `out`: those before it."""
    body = event.body
    return (set(out) - {body["player"]}) | ({body["instead"]} if body["sits_out"] else set())


def substitutes_after(
    known: Mapping[tuple[int, int], Mapping[int, str]], event: StoredEvent
) -> dict[tuple[int, int], Mapping[int, str]]:
    """Return the substitutes after the event: chair (table, seat) → first deal → reference of the player.

    `known`: the substitutes before the event.
    """
    body = event.body
    chair = body["table"], body["seat"]
    if event.type == "chair_taken":
        return {at: told for at, told in known.items() if at != chair}
    told = {deal: who for deal, who in known.get(chair, {}).items() if deal < body["deal"]}
    if told or body["player"] != body["instead"]:
        told[body["deal"]] = body["player"]
    return {**known, chair: told}


def take_chair(round_: Round, player: int, instead: int, *, bye: bool, actor: Actor) -> tuple[Entry, Entry]:
    """Seat `player` on the chair of `instead` (entry numbers) for the whole round; return both entries.

    `player` is marked as present. bye: True: the drawn person gets a bye; False: they are marked as
    absent. Raises TournamentError `chairs/…`; `chairs/played` if something was entered at that table already.
    """
    with changing_seats(round_, actor) as (championship, locked_round, ref):
        seating = find_seating(locked_round, instead)
        comes, goes = load_free_entry(locked_round, player), seating.entry
        encounters.require_same_team(comes, goes, load_regulations(championship))
        _require_unplayed(seating.table)
        same_cards.require_not_played(locked_round, comes, seating.table)
        seating.table.substitutes.filter(seat=seating.seat).delete()
        mark_present(comes)
        _transfer_seat(locked_round, seating, comes)
        if bye:
            Bye.objects.create(round=locked_round, entry=goes)
        else:
            mark_away(goes)
        event = ChairTaken(
            table=seating.table.number,
            seat=seating.seat,
            player=comes.player_ref,
            instead=goes.player_ref,
            sits_out=bye,
        )
        record(locked_round.stream_id, event, actor=ref)
    return comes, goes


def substitute(
    round_: Round, player: int, instead: int, *, deal: int = 1, actor: Actor
) -> tuple[Entry, Entry]:
    """Let `player` play for `instead` (entry numbers) from `deal` on; return both entries.

    If both numbers are equal, the drawn person plays again from `deal` on. Raises TournamentError `chairs/…`;
    `chairs/dealt` if cards are dealt online, where a code gives the seat.
    """
    with changing_seats(round_, actor) as (championship, locked_round, ref):
        seating = find_seating(locked_round, instead)
        table, owner = seating.table, seating.entry
        require_not_dealt(table.mode)
        most = load_regulations(championship).deals_at(table.seatings.count())
        if deal < 1 or (most and deal > most):
            raise TournamentError(
                "chairs/deal", _("The deals of a round are numbered from 1 to %(most)s."), most=most or "…"
            )
        plays = owner if player == instead else load_free_entry(locked_round, player, besides=seating)
        if plays != owner:
            same_cards.require_not_played(locked_round, plays, table)
        now = Substitute.objects.filter(table=table, seat=seating.seat).order_by("deal")
        now.filter(deal__gte=deal).delete()
        if plays != owner or now.exists():
            Substitute.objects.create(table=table, seat=seating.seat, entry=plays, deal=deal)
        # With fixed pairs no single person is drawn: a single substitute marked as present would block the
        # next draw.
        alone = has_fixed_pairs(championship) and plays.entrant_id is None
        if plays != owner and not plays.house and not alone:
            mark_present(plays)
        if table.game_id is not None:
            table_rights.grant_seats({str(table.game_id): seating.seat}, plays)
        event = SubstituteNamed(
            table=table.number,
            seat=seating.seat,
            player=plays.player_ref,
            instead=owner.player_ref,
            deal=deal,
        )
        record(locked_round.stream_id, event, actor=ref)
    return plays, owner


def seat_substitutes(round_: Round) -> None:
    """Give access to the seat to each substitute who plays its last deals, at the tables of the round with a
    game.
    """
    found = last_substitutions().filter(table__round=round_, table__game__isnull=False).order_by("pk")
    for one in found.select_related("table", "entry__user"):
        table_rights.grant_seats({str(one.table.game_id): one.seat}, one.entry)


@contextmanager
def changing_seats(round_: Round, actor: Actor) -> Iterator[tuple[Championship, Round, str]]:
    """Lock championship and round for a change of chairs. Yield both, and the actor's reference.

    The regulations are read from what is yielded: `round_` may have those from before the lock. People are
    notified of the change. Raises TournamentError `chairs/round_over`.
    """
    with locks.for_official(round_.championship, actor, "enter") as (championship, ref):
        locked_round = locks.lock_round(round_.pk)
        locked_round.championship = championship
        require_drawn_or_open(locked_round)
        yield championship, locked_round, ref
        occasions.seats_changed(locked_round)


def load_free_entry(round_: Round, number: int, besides: Seating | None = None) -> Entry:
    """Load the entry with this number, which must have no seat in this round and must not play the last deals
    as a substitute, except at `besides`.

    Raises TournamentError `chairs/plays_already`, `chairs/not_entered`, and in a session what `require_here`
    raises.
    """
    found = Entry.objects.filter(championship=round_.championship_id, number=number).first()
    if found is None or found.status == Entry.Status.WITHDRAWN:
        raise TournamentError(
            "chairs/not_entered", _("Nobody with the number %(number)s takes part."), number=number
        )
    sits = round_.seatings.select_related("table").filter(entry=found).first()
    at = sits.table.number if sits is not None else _substitute_table(round_, found, besides)
    if at is not None:
        raise TournamentError(
            "chairs/plays_already",
            _("%(name)s is already playing at table %(table)s."),
            name=found.name,
            table=at,
        )
    if load_regulations(round_.championship).has_queue:
        require_here(round_, found)
    return found


def _substitute_table(round_: Round, entry: Entry, besides: Seating | None) -> int | None:
    """Return the number of the table at which the entry plays the last deals as a substitute, other than at
    `besides`; None if none.
    """
    plays = last_substitutions().filter(table__round=round_, entry=entry)
    if besides is not None:
        plays = plays.exclude(table=besides.table_id, seat=besides.seat)
    return plays.values_list("table__number", flat=True).first()


def _require_unplayed(table: Table) -> None:
    if table.game is None:
        return
    require_not_dealt(table.mode)
    game = delayed_broadcast.current_game(table.game)
    if game.head_seq >= OPENING_EVENTS or delayed_broadcast.load_visible_results(game):
        raise TournamentError(
            "chairs/played",
            _(
                "A result is already entered at table %(table)s: name a substitute there; the result "
                "stays with the person who was drawn."
            ),
            table=table.number,
        )


def _transfer_seat(round_: Round, seating: Seating, comes: Entry) -> None:
    """Transfer the chair to another entry, with the seat and access rows of its game."""
    game = seating.table.game
    if game is not None:
        seats.lock_games([game.pk])
    Bye.objects.filter(round=round_, entry=comes).delete()
    seating.entry = comes
    seating.save(update_fields=["entry"])
    if game is not None:
        Seat.objects.filter(game=game, number=seating.seat).update(player_ref=comes.player_ref)
        table_rights.grant_seats({game.pk: seating.seat}, comes)


def mark_present(entry: Entry) -> None:
    """Mark the entry as present."""
    if entry.status != Entry.Status.ARRIVED:
        entry.status, entry.arrived_at = Entry.Status.ARRIVED, timezone.now()
        entry.save(update_fields=["status", "arrived_at"])
