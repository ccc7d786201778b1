"""Seating tables of a session from its queue, and taking the last table back.

The input of the draw is which people wait, in which order, at which tables of the championship they have
sat, and whom the director keeps apart. The log records the queue as the desk entered it; nobody can verify
that the desk entered it correctly.
"""

from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import store
from games.appending import record
from games.models import Game
from games.projections import delayed_broadcast
from games.randomness import round_seed
from tournaments.competition import Competition, EntrantRecord, PlayedRound, PlayedTable
from tournaments.errors import TournamentError
from tournaments.events import TablesDrawn, TableTakenBack
from tournaments.models import Dispute, Entry, OpenedHands, Round, Seating, Table
from tournaments.notices import occasions
from tournaments.pairing import systems
from tournaments.permissions import Actor, require
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw.drawing import create_seated_tables
from tournaments.services.draw.late_people import close_table_game, open_round_table
from tournaments.services.open_heat.sessions import describe_session, encode_document
from tournaments.services.open_heat.starts import lock_session
from tournaments.services.open_heat_queue import PAIR, WaitingStart, list_waiting
from tournaments.services.people.entry_persons import load_persons
from tournaments.services.people.separation import Apart, join_meetings, list_wishes
from tournaments.services.scores.competition_document import name_entrant

MOST_TABLES: Final = 20
"""Largest number of tables seated at once. Opening them takes about a second, while other writers wait."""
DRAWN = "tables_drawn"
EVENTS_OF_A_DRAW: Final = 1 + 2 * MOST_TABLES
"""Largest number of events of a draw: itself, and two for each table (forehand and opening)."""


@dataclass(frozen=True, slots=True)
class SeatingProposal:
    """The effect of seating tables now.

    tables: number of new tables; people: number of people at them; seated: number of starts that get a seat;
    waiting: number of all waiting starts. held: number of starts that cannot be seated, since their person
    plays or has an earlier start in the queue. mix: least number of seatable starts that stay in the queue.
    """

    tables: int
    people: int
    seated: int
    waiting: int
    held: int
    mix: int

    @property
    def remain(self) -> int:
        return self.waiting - self.seated


@dataclass(frozen=True, slots=True)
class QueueField:
    """The input of a draw from the queue. starts: entries by index of the document's persons; draw: number of
    the draw.
    """

    starts: tuple[Entry, ...]
    competition: Competition
    draw: int


def propose_tables(round_: Round, waiting: list[WaitingStart], mix: int | None = None) -> SeatingProposal:
    """Return the effect that `seat_next` would have. No query but for the regulations."""
    regulations = load_regulations(round_.championship)
    wait = own_mix(round_) if mix is None else mix
    able = _list_able(waiting)
    size, heads = regulations.play.seats, count_starts(regulations)
    tables = min(max(len(able) - wait, 0) // heads, MOST_TABLES)
    return SeatingProposal(
        tables, tables * size, tables * heads, len(waiting), len(waiting) - len(able), wait
    )


def count_starts(regulations: Regulations) -> int:
    """Return how many starts fill a table: one for each seat, or one for two seats if pairs start."""
    return regulations.play.seats // (PAIR if regulations.play.format == "fixed_pairs" else 1)


def own_mix(round_: Round) -> int:
    """Return the least number of seatable starts that stay in the queue, by the regulations."""
    options = describe_session(load_regulations(round_.championship)).options
    return int(options.get("mix", 0))


def seat_next(round_: Round, *, actor: Actor, mix: int | None = None, seen: int | None = None) -> list[Table]:
    """Seat as many tables as the queue fills, at most MOST_TABLES, and open them. Return the new tables.

    mix: least number of seatable starts that stay in the queue; None: the number of the regulations. seen:
    number of tables that the caller's page showed, so that a double press seats nobody twice. The search runs
    outside a transaction.

    Raises TournamentError `sessions/not_open`, `sessions/too_few`, `sessions/changed_since`,
    `draw/changed_meanwhile`, `sessions/mix`.
    """
    ref = require(actor, "enter", round_.championship)
    wait = own_mix(round_) if mix is None else mix
    if not 0 <= wait <= 400:
        raise TournamentError(
            "sessions/mix", _("From 0 to 400 people can wait for a better mixture."), mix=wait
        )
    if seen is not None and seen != round_.tables.count():
        raise TournamentError(
            "sessions/changed_since",
            _("Tables have been seated or undone in the meantime: check the queue as it is now."),
        )
    field = load_queue(round_, wait)
    drawn = systems.draw_next(field.competition)
    if drawn is None or not drawn.tables:
        raise TournamentError(
            "sessions/too_few",
            _("Waiting and not playing: %(here)s; a table needs %(size)s."),
            here=len(field.starts),
            size=field.competition.size,
        )
    repeats = systems.repeats_of(field.competition, drawn)
    tables = [[field.starts[int(person)] for person in table] for table in drawn.tables]
    with transaction.atomic():
        locked_round = lock_session(round_, actor)
        if load_queue(locked_round, wait) != field:
            raise TournamentError(
                "draw/changed_meanwhile",
                _("Presence, pairs, regulations or the ranking have changed meanwhile; draw again."),
            )
        first = locked_round.tables.count() + 1
        event = TablesDrawn(
            draw=field.draw,
            first=first,
            seed=field.competition.seed,
            algorithm=systems.algorithm_of(field.competition.system),
            players=tuple(entry.player_ref for entry in field.starts),
            problem=encode_document(field.competition),
            tables=tuple(tuple(entry.player_ref for entry in table) for table in tables),
            cost={
                "partner_repeats": repeats["partner"],
                "opponent_repeats": repeats["opponent"],
                "notes": [_encode_note(note, first) for note in drawn.notes],
            },
        )
        seated_tables = create_seated_tables(
            locked_round, load_regulations(locked_round.championship).play.mode, tables, first
        )
        record(locked_round.stream_id, event, actor=ref, command_id=f"queue:{field.draw}")
        opened = [
            open_round_table(locked_round.championship, locked_round, table.number, ref)
            for table in seated_tables
        ]
        occasions.seats_changed(locked_round)
    return opened


def load_last_cost(round_: Round) -> dict[str, Any]:
    """Load repeats and notes of the newest draw from the queue; empty if the last EVENTS_OF_A_DRAW events
    contain none.
    """
    head = store.read_head(round_.stream_id)
    newest = store.read(round_.stream_id, since=max(-1, head.seq - EVENTS_OF_A_DRAW), parts=False)
    costs = [event.body["cost"] for event in newest if event.type == DRAWN]
    return dict(costs[-1]) if costs else {}


def take_table_back(round_: Round, number: int, *, actor: Actor) -> None:
    """Remove the last table of a session, if nothing is written at it. Its people wait again at their old
    positions.

    Raises TournamentError `sessions/not_last`, `sessions/has_results`, `sessions/cards_dealt`,
    `sessions/disputed`.
    """
    ref = require(actor, "enter", round_.championship)
    with transaction.atomic():
        locked_round = lock_session(round_, actor)
        table = locked_round.tables.select_related("game").order_by("-number").first()
        if table is None or table.number != number:
            raise TournamentError(
                "sessions/not_last", _("Only the last table can be undone; this is another one.")
            )
        game = table.game
        if game is not None and game.mode == Game.Mode.DEALT:
            raise TournamentError(
                "sessions/cards_dealt",
                _("The cards of table %(table)s are dealt: play it, or finish it early."),
                table=number,
            )
        if game is not None and delayed_broadcast.have_results([game]):
            raise TournamentError(
                "sessions/has_results",
                _("Table %(table)s has a result: it cannot be undone."),
                table=number,
            )
        if Dispute.objects.filter(table=table).exists() or OpenedHands.objects.filter(table=table).exists():
            raise TournamentError(
                "sessions/disputed",
                _("A referee was called to table %(table)s: it cannot be undone."),
                table=number,
            )
        if game is not None and delayed_broadcast.current_game(game).status not in Game.OVER:
            close_table_game(game, ref, f"back:{game.pk}", "taken back")
        table.delete()
        record(locked_round.stream_id, TableTakenBack(table=number), actor=ref)
        occasions.seats_changed(locked_round)


def load_queue(round_: Round, mix: int) -> QueueField:
    """Load the first starts of a session that can be seated as the input of its next draw.

    `mix`: number of starts to load in addition to those that one draw can seat. The number of queries is
    constant.
    """
    regulations = load_regulations(round_.championship)
    most = MOST_TABLES * count_starts(regulations) + mix
    able = list(islice(_list_able(list_waiting(round_)), most))
    by_number = sorted(able, key=lambda one: one.entry.number)
    people = {
        entry.number: (entry, person)
        for one in able
        for entry, person in zip(one.entries, one.people, strict=True)
    }
    entries = tuple(people[number][0] for number in sorted(people))
    person = {people[entry.number][1]: f"{index:04}" for index, entry in enumerate(entries)}
    position = {one.entry.pk: at for at, one in enumerate(able, 1)}
    draw = store.count_events(round_.stream_id, DRAWN) + 1
    seed = round_seed.source_of(round_.stream_id).derive_seed("queue", draw)
    person_of = load_persons(round_.championship_id) if able else {}
    competition = describe_session(
        regulations,
        seed=seed.hex(),
        entrants=tuple(
            EntrantRecord(
                ref=name_entrant(one.entry.number),
                members=tuple(person[one_person] for one_person in one.people),
                start_rank=position[one.entry.pk],
            )
            for one in by_number
        ),
        past=_load_past(round_.championship_id, person, person_of),
        apart=_load_apart(round_.championship_id, by_number, person_of),
        options={"mix": mix},
    )
    return QueueField(entries, competition, draw)


def _list_able(waiting: list[WaitingStart]) -> list[WaitingStart]:
    """List the starts that can be seated: of each person who does not play, the first one in the queue."""
    seen: set[int] = set()
    able = []
    for one in waiting:
        if one.table is None and seen.isdisjoint(one.people):
            able.append(one)
            seen.update(one.people)
    return able


def _load_past(
    championship: int, person: dict[int, str], person_of: dict[int, int]
) -> tuple[PlayedRound, ...]:
    """Load the past tables at which a waiting person has sat. The other people there are named "x1", … One
    query.
    """
    seats: dict[tuple[int, int], list[int]] = {}
    rows = Seating.objects.filter(round__championship=championship) if person else Seating.objects.none()
    for round_number, table, entry in rows.order_by("round__number", "table__number", "seat").values_list(
        "round__number", "table__number", "entry_id"
    ):
        seats.setdefault((round_number, table), []).append(person_of[entry])
    others: dict[int, str] = {}
    found: dict[int, list[PlayedTable]] = {}
    for (round_number, _table), people in seats.items():
        if person.keys().isdisjoint(people):
            continue
        named = tuple(person.get(one) or others.setdefault(one, f"x{len(others) + 1}") for one in people)
        found.setdefault(round_number, []).append(PlayedTable(seats=named))
    return tuple(PlayedRound(round=number, tables=tuple(tables)) for number, tables in sorted(found.items()))


def _load_apart(championship: int, waiting: list[WaitingStart], person_of: dict[int, int]) -> Apart:
    """Load the pairs of waiting starts whose persons the director keeps apart, each with "hard" or "soft"."""
    if not waiting:
        return ()
    ref_of = {person: name_entrant(one.entry.number) for one in waiting for person in one.people}
    refs = {entry: ref_of[person] for entry, person in person_of.items() if person in ref_of}
    return join_meetings(list_wishes(championship), refs)


def _encode_note(note: systems.DrawNote, first: int) -> dict[str, Any]:
    """Encode a note of the draw as JSON. The number of the table is changed to its number in the session."""
    table = note.params.get("table")
    return {"code": note.code, **note.params, **({} if table is None else {"table": first - 1 + table})}
