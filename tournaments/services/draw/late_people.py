"""Late arrivals: seating them on a table's free chair, or at an additional table together with people with a
bye.

In an open round only a table with physical cards accepts another person, until something is entered at it.
Its game is then closed, and a new game is opened with one more seat. The cards of an additional table are
derived from the round's seed, as at any other table.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from games import store
from games.appending import record
from games.models import Game
from games.play.submit import submit
from games.projections import delayed_broadcast, delayed_projection
from games.randomness import round_seed
from games.rights import seats, tokens
from tournaments.errors import TournamentError
from tournaments.events import ChairTaken, TableOpened
from tournaments.models import Bye, Championship, Entry, Round, Seating, Table, last_substitutions
from tournaments.permissions import Actor
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import opening, substitutions
from tournaments.services.draw.left_over import THREE
from tournaments.services.draw.substitutions import OPENING_EVENTS
from tournaments.services.entries.pairs import PARTNERS, has_fixed_pairs
from tournaments.services.people.separation import list_separated
from tournaments.services.seats import same_cards

NEVER_PARTNER_WEIGHT = 1_000
"""Cost, in earlier partnerships, of making partners of two people whom the draw must keep apart."""


class NewTable(NamedTuple):
    """An additional table that people could form.

    `number`: of the table; `late`: late arrivals without a seat; `out`: people with a bye.
    """

    number: int
    late: tuple[Entry, ...]
    out: tuple[Entry, ...]

    @property
    def people(self) -> tuple[Entry, ...]:
        return (*self.out, *self.late)


def list_unseated(round_: Round) -> list[Entry]:
    """List the people present in a drawn or open round who have no seat, and do not play the last deals as a
    substitute, by arrival.

    People with a bye are included. Empty for a session, where people wait in its queue.
    """
    if load_regulations(round_.championship).has_queue:
        return []
    here = Entry.objects.filter(championship=round_.championship_id, status=Entry.Status.ARRIVED, bot=False)
    busy = last_substitutions().filter(table__round=round_).values("entry")
    return list(here.exclude(seatings__round=round_).exclude(pk__in=busy).order_by("arrived_at", "number"))


def list_joinable_tables(round_: Round) -> list[Table]:
    """List the tables with a free chair that accept another person, by number."""
    if round_.status not in (Round.Status.DRAWN, Round.Status.OPEN):
        return []
    size = load_regulations(round_.championship).play.seats
    short = round_.tables.annotate(people=Count("seatings")).filter(people__lt=size).order_by("number")
    found: list[Table] = [*short.select_related("game")]
    found = [table for table in found if table.game is None or not _has_begun(table.game)]
    return [] if found and (_number_is_public(round_) or _shows_cards(round_)) else found


def join_table(round_: Round, player: int, table: int, *, actor: Actor) -> Entry:
    """Seat `player` (entry number) on the free chair of the table with the number `table`.

    Return the seated entry. Raises TournamentError `chairs/table_full`; `chairs/table_open` if something was
    entered at the table or its cards were dealt online; `chairs/number_public` if the sealed number of the
    round is public; `chairs/cards_…` if `player` may know the cards.
    """
    with _changing_seats(round_, actor) as (championship, locked_round, ref):
        found = locked_round.tables.select_related("game").filter(number=table).first()
        there = found.seatings.count() if found is not None else 0
        if found is None or there >= load_regulations(championship).play.seats:
            raise TournamentError("chairs/table_full", _("Table %(table)s has no free chair."), table=table)
        if found.game is not None:
            seats.lock_games([found.game.pk])
            found.game.refresh_from_db()
            if _has_begun(found.game):
                raise TournamentError(
                    "chairs/table_open",
                    _("Table %(table)s has begun with %(people)s people: wait for the next round."),
                    table=table,
                    people=there,
                )
        comes = substitutions.load_free_entry(locked_round, player)
        same_cards.require_not_played(locked_round, comes, found)
        substitutions.mark_present(comes)
        _seat_people(locked_round, found, {there: comes}, ref)
        if found.game is not None:
            close_table_game(found.game, ref, f"join:{comes.player_ref}")
            Table.objects.filter(pk=found.pk).update(game=None)
        if locked_round.status == Round.Status.OPEN:
            open_round_table(championship, locked_round, found.number, ref)
    return comes


def propose_table(round_: Round, free: Sequence[Entry] | None = None) -> NewTable | None:
    """Return the additional table that late arrivals can form, together with people with a bye.

    None without late arrivals, with too few people, if a fixed pair is not whole, if teams are drawn, or if
    the sealed number or cards of the round are public. `free`: result of `list_unseated`, if loaded already;
    no query if empty.
    """
    if round_.status not in (Round.Status.DRAWN, Round.Status.OPEN):
        return None
    free = list_unseated(round_) if free is None else free
    if not free:
        return None
    regulations = load_regulations(round_.championship)
    if regulations.plays_in_teams:  # one more table would be no encounter of whole teams
        return None
    out = set(Bye.objects.filter(round=round_).values_list("entry_id", flat=True))
    came = [entry for entry in free if entry.pk not in out and not entry.house]
    benched = [entry for entry in free if entry.pk in out]
    if not came or _number_is_public(round_) or _shows_cards(round_):
        return None
    size = regulations.play.seats
    if len(came) + len(benched) < size and regulations.seats_three():
        size = THREE
    people = [*benched, *came][:size]
    if len(people) < size or (has_fixed_pairs(round_.championship) and _order_pairs(people) is None):
        return None
    number = round_.tables.count() + 1
    return NewTable(number, tuple(e for e in people if e in came), tuple(e for e in people if e in benched))


def add_table(round_: Round, numbers: Collection[int], *, actor: Actor) -> Table:
    """Add a table to a drawn or open round for late arrivals and people with a bye. Fixed partners sit
    opposite.

    `numbers`: entry numbers of the proposed people. Raises TournamentError `chairs/no_new_table` if
    `propose_table` proposes other people now.
    """
    with _changing_seats(round_, actor) as (championship, locked_round, ref):
        found = propose_table(locked_round)
        if found is None or {entry.number for entry in found.people} != set(numbers):
            raise TournamentError(
                "chairs/no_new_table",
                _("These people no longer make a table: look at the round again."),
            )
        people = _order_pairs(found.people) if has_fixed_pairs(championship) else None
        mode = load_regulations(championship).play.mode
        table = Table.objects.create(round=locked_round, number=found.number, mode=mode)
        for entry in found.people:
            same_cards.require_not_played(locked_round, entry, table)
        seated = people or _order_by_partnerships(locked_round, found.people)
        _seat_people(locked_round, table, dict(enumerate(seated)), ref)
        if locked_round.status == Round.Status.OPEN:
            table = open_round_table(championship, locked_round, table.number, ref)
    return table


@contextmanager
def _changing_seats(round_: Round, actor: Actor) -> Iterator[tuple[Championship, Round, str]]:
    """Lock championship and round, check that people may still be seated, and yield both with the actor's
    reference.
    """
    with substitutions.changing_seats(round_, actor) as (championship, locked_round, ref):
        if _number_is_public(locked_round):
            raise TournamentError(
                "chairs/number_public",
                _("The sealed number of round %(round)s is public: nobody else can sit down in it."),
                round=locked_round.number,
            )
        same_cards.require_nothing_shown(locked_round)
        yield championship, locked_round, ref


def _number_is_public(round_: Round) -> bool:
    return round_.status == Round.Status.OPEN and round_seed.is_revealed(round_.stream_id)


def _shows_cards(round_: Round) -> bool:
    """Return whether a person who gets a seat now may have seen the cards of a deal."""
    is_open = round_.status == Round.Status.OPEN
    return is_open and same_cards.are_same(round_.championship) and same_cards.is_deal_shown(round_)


def _has_begun(game: Game) -> bool:
    """Return whether a game is over, or something is entered or dealt in it."""
    return delayed_broadcast.current_game(game).head_seq >= OPENING_EVENTS or game.mode == Game.Mode.DEALT


def _seat_people(round_: Round, table: Table, chairs: dict[int, Entry], ref: str) -> None:
    """Create the seatings (seat → entry) and delete the byes of these people. Record each seating in the
    stream.
    """
    Bye.objects.filter(round=round_, entry__in=chairs.values()).delete()
    Seating.objects.bulk_create(
        Seating(round=round_, table=table, seat=seat, entry=entry) for seat, entry in chairs.items()
    )
    events = [
        ChairTaken(table=table.number, seat=seat, player=one.player_ref, instead="", sits_out=False)
        for seat, one in chairs.items()
    ]
    record(round_.stream_id, *events, actor=ref)


def close_table_game(game: Game, ref: str, command_id: str, reason: str = "one more sits down") -> None:
    """Close a table's game, whose codes become invalid. The caller checks that nothing was entered."""
    submit(game.pk, {"cmd": "close", "reason": reason}, actor=ref, command_id=command_id)
    tokens.revoke_tokens([game.pk], Q())
    delayed_projection.delay(Game.objects.filter(pk=game.pk, delay_minutes__gt=0), 0)


def open_round_table(championship: Championship, round_: Round, number: int, ref: str) -> Table:
    """Open a game for a table of an open round, with the settings of the other tables, and
    return the table.
    """
    store.read_head(round_.stream_id, lock=True)
    [table] = opening.open_tables(championship, round_, round_.tables.filter(number=number))
    record(
        round_.stream_id,
        TableOpened(table=table.number, game=str(table.game_id), mode=table.mode),
        actor=ref,
    )
    return table


def _order_pairs(people: Sequence[Entry]) -> list[Entry] | None:
    """Order four people so that partners sit opposite each other; None unless the people
    are two fixed pairs.
    """
    pairs: dict[int | None, list[Entry]] = {}
    for entry in people:
        pairs.setdefault(entry.entrant_id, []).append(entry)
    both = [members for entrant, members in pairs.items() if entrant is not None and len(members) == PARTNERS]
    if len(both) != PARTNERS or len(pairs) != PARTNERS:
        return None
    (one, two), (three, four) = both
    return [one, three, two, four]


def _order_by_partnerships(round_: Round, people: Sequence[Entry]) -> list[Entry]:
    """Order four people for a table. Former partners, and people whom the draw keeps apart, do not become
    partners if this can be avoided.
    """
    if len(people) != 2 * PARTNERS:
        return list(people)
    met: Counter[frozenset[int]] = Counter()
    rows = Seating.objects.filter(entry__in=people, round__championship=round_.championship_id)
    sat: dict[int, dict[int, int]] = {}
    for table, seat, entry in rows.values_list("table_id", "seat", "entry_id"):
        sat.setdefault(table, {})[seat] = entry
    for chairs in sat.values():
        met.update(frozenset((chairs[at], chairs[at + 2])) for at in (0, 1) if {at, at + 2} <= chairs.keys())
    for wish in list_separated(round_.championship_id, load_regulations(round_.championship)):
        met[frozenset((wish.one, wish.other))] += 1 if wish.soft else NEVER_PARTNER_WEIGHT
    first, *rest = people

    def cost(partner: Entry) -> int:
        others = [entry for entry in rest if entry != partner]
        return met[frozenset((first.pk, partner.pk))] + met[frozenset(entry.pk for entry in others)]

    partner = min(rest, key=cost)
    one, other = (entry for entry in rest if entry != partner)
    return [first, one, partner, other]
