"""Drawing the seats of a round, from the people present, the past rounds and the committed
seed of the round.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.appending import record
from games.randomness import round_seed
from tournaments import pairing
from tournaments.competition import Competition
from tournaments.errors import TournamentError
from tournaments.events import SeatsDrawn
from tournaments.models import Bye, Entry, Round, Seating, SideConstraint, Table
from tournaments.names import join_names
from tournaments.notices import occasions
from tournaments.pairing import systems
from tournaments.pairing.systems.stand_ins import fill_chairs
from tournaments.permissions import Actor, require
from tournaments.regulations import Regulations
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import bots, encounters
from tournaments.services.draw import left_over as left_over_ways
from tournaments.services.entries import pairs, teams
from tournaments.services.people.separation import list_separated
from tournaments.services.scores import competition_document, published_ranking

_MAX_PLANNED_PLAYER_ROUNDS = 320
"""Limit of players times remaining rounds. Up to it the draw plans all remaining rounds together, although
only the next round is stored; above it, only the next round.
"""


class DrawnSeats(NamedTuple):
    """Drawn seats of a round, and the record of how they were drawn.

    `tables`: people of each table in the order of play; `byes`: people with a bye; `players`: all people by
    their number in `problem`, last the helpers of the house who fill empty chairs. `algorithm`: name and
    version of the algorithm; `problem`: its input as JSON; `cost`: numbers of repeated meetings, and notes.
    """

    tables: list[list[Entry]]
    byes: list[Entry]
    players: tuple[Entry, ...]
    algorithm: str
    problem: dict[str, Any]
    cost: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DrawField:
    """Input of a draw by `pairing.draw`. `entries`: people by their number in `problem`."""

    entries: tuple[Entry, ...]
    problem: pairing.PairingProblem
    seed: bytes

    def draw(self) -> DrawnSeats:
        """Draw the next round. Raises PairingError."""
        drawn = pairing.draw(self.problem)
        first = drawn.rounds[0]
        return DrawnSeats(
            [[self.entries[p] for p in table] for table in first.tables],
            [self.entries[p] for p in first.byes],
            self.entries,
            drawn.version,
            _encode_problem(self.problem),
            {
                **pairing.compute_cost(self.problem, [first]).as_dict(),
                **({"notes": notes} if (notes := self._list_notes(first.tables)) else {}),
            },
        )

    def _list_notes(self, tables: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
        """List the pairs of entrants at one of these tables who were to be kept apart if possible, as
        recorded notes.
        """
        met = {
            (number, *sorted(self._name(player) for player in pair))
            for number, table in enumerate(tables, 1)
            for pair in pairing.list_avoided(self.problem, tuple(table))
        }
        return [
            {"code": "pairing/apart", "table": table, "one": one, "other": other, "how": "soft"}
            for table, one, other in sorted(met)
        ]

    def _name(self, player: int) -> str:
        entry = self.entries[player]
        return competition_document.name_entrant(
            entry.number if entry.entrant is None else entry.entrant.number
        )

    def count_repeats(self, tables: Sequence[Sequence[Entry]]) -> dict[str, int] | None:
        """Count repeated partners, opponents and meetings at these tables; None if a person is not in
        `entries`.
        """
        index = {entry.pk: at for at, entry in enumerate(self.entries)}
        if any(entry.pk not in index for table in tables for entry in table):
            return None
        seats = tuple(tuple(index[entry.pk] for entry in table) for table in tables)
        out = set(index.values()) - {at for table in seats for at in table}
        drawn = pairing.DrawnRound(seats, tuple(sorted(out)))
        return pairing.compute_cost(self.problem, [drawn]).as_dict()


@dataclass(frozen=True)
class SystemField:
    """Input of a draw by a pairing system. `competition`: the document that the system reads; `entries`:
    people by their index in it.

    `house`: people who can sit in chairs that the system leaves empty; `sizes`: possible numbers of people at
    a table.
    """

    entries: tuple[Entry, ...]
    house: tuple[Entry, ...]
    competition: Competition
    seed: bytes
    sizes: tuple[int, ...]

    @cached_property
    def drawn(self) -> systems.NextRound:
        """The next round. Raises CompetitionError, and TournamentError `draw/decided` after the last round,
        `draw/too_few`.
        """
        drawn = systems.draw_next(self.competition)
        if drawn is None:
            raise TournamentError(
                "draw/decided", _("Everything is decided; there is no further round to draw.")
            )
        if not drawn.tables:
            raise _too_few(len(self.competition.present()), self.competition.size)
        return drawn

    def count_empty(self) -> int:
        """Count the empty chairs at tables that cannot be played with fewer people."""
        return sum(self._sizes_of_tables()) - sum(map(len, self.drawn.tables))

    def draw(self) -> DrawnSeats:
        """Draw the next round, with players of the house in empty chairs.

        Raises what `drawn` raises, and TournamentError `draw/empty_chairs` if there are too few players of
        the house.
        """
        drawn, missing = self.drawn, self.count_empty()
        if missing > len(self.house):
            raise TournamentError(
                "draw/empty_chairs",
                ngettext_lazy(
                    "%(count)s chair stays empty at a table that cannot play without it: a player of "
                    "the house must be here.",
                    "%(count)s chairs stay empty at tables that cannot play without them: as many "
                    "players of the house must be here.",
                    "count",
                ),
                count=missing - len(self.house),
            )
        everybody = (*self.entries, *self.house[:missing])
        stand_ins = [f"{len(self.entries) + n:04}" for n in range(missing)]
        members = self.competition.by_ref
        return DrawnSeats(
            [
                [everybody[int(person)] for person in table]
                for table in fill_chairs(drawn, self._sizes_of_tables(), stand_ins)
            ],
            [self.entries[int(person)] for ref in drawn.byes for person in members[ref].persons],
            everybody,
            systems.algorithm_of(self.competition.system),
            _encode_problem(self.competition),
            {
                **self._count(drawn),
                **({"notes": [_encode_note(note) for note in drawn.notes]} if drawn.notes else {}),
            },
        )

    def count_repeats(self, tables: Sequence[Sequence[Entry]]) -> dict[str, int] | None:
        """Count repeated partners, opponents and meetings at these tables; None if a person is not in
        `entries`.
        """
        person = {entry.pk: f"{at:04}" for at, entry in enumerate(self.entries)}
        if any(entry.pk not in person for table in tables for entry in table):
            return None
        seats = tuple(tuple(person[entry.pk] for entry in table) for table in tables)
        return self._count(systems.NextRound(self.competition.next_number, seats))

    def _count(self, drawn: systems.NextRound) -> dict[str, int]:
        repeats = systems.repeats_of(self.competition, drawn)
        return {
            "partner_repeats": repeats["partner"],
            "opponent_repeats": repeats["opponent"],
            "meeting_repeats": repeats["partner"] + repeats["opponent"],
        }

    def _sizes_of_tables(self) -> list[int]:
        sizes = map(len, self.drawn.tables)
        return [size if size in self.sizes else self.competition.size for size in sizes]


def draw_round(round_: Round, *, actor: Actor, left_over: str = "", short_teams: bool = False) -> Round:
    """Draw the seats of a planned round.

    left_over: way to handle people who do not fill a table, one of `left_over.WAYS`; empty: the way that
    `left_over.select_choice` proposes. short_teams: draw the first round although teams lack members. Raises
    PairingError, CompetitionError, TournamentError `teams/short` unless `short_teams`, and `draw/…`:
    `draw/left_over` if that way is not possible, `draw/already_drawn` if the round is drawn,
    `draw/changed_meanwhile` if the input of the draw changed during the search. The search runs before this
    function opens its transaction.
    """
    ref = require(actor, "draw", round_.championship)
    round_.refresh_from_db()
    require_planned(round_)
    if round_.number == 1 and not short_teams:
        teams.require_complete(round_.championship)
    round_seed.renew_seed(round_.stream_id, actor=ref)
    regulations = load_regulations(round_.championship)
    if left_over == "bot":
        guests = sum(not entry.house for entry in load_arrived(round_))
        choice = left_over_ways.select_choice(regulations, guests, 0, left_over)
        bots.ensure_bots(round_.championship, choice.bots if choice is not None else 0, actor=actor)
    field = load_field(round_, regulations, left_over)
    if isinstance(field, SystemField) and regulations.play.mode == "dealt":
        players = sum(not entry.bot for entry in field.house)
        bots.ensure_bots(round_.championship, field.count_empty() - players, actor=actor)
        field = load_field(round_, regulations, left_over)
    drawn = field.draw()
    event = SeatsDrawn(
        draw=round_.draws + 1,
        seed=field.seed.hex(),
        algorithm=drawn.algorithm,
        players=tuple(entry.player_ref for entry in drawn.players),
        problem=drawn.problem,
        tables=tuple(tuple(entry.player_ref for entry in table) for table in drawn.tables),
        sit_out=tuple(entry.player_ref for entry in drawn.byes),
        cost=drawn.cost,
    )
    with locks.locked_for(round_.championship, actor, "draw") as locked_championship:
        mark_drawn(round_, event)
        # Verifiers compare the event with the regulations, pairs and ranking at the time it is recorded.
        if (
            load_regulations(locked_championship) != regulations
            or load_field(round_, regulations, left_over) != field
        ):
            raise make_changed_meanwhile_error()
        store_seats(round_, regulations.play.mode, drawn.tables, drawn.byes, event, ref)
    round_.refresh_from_db()
    return round_


def table_sizes(regulations: Regulations) -> list[int]:
    """List the numbers of people that a table may have."""
    return [regulations.play.seats, *([left_over_ways.THREE] if regulations.seats_three() else [])]


def load_field(round_: Round, regulations: Regulations, way: str = "") -> DrawField | SystemField:
    """Load the input of the draw: the people who would be drawn now, and what their seats depend on.

    `way`: as `left_over` of `draw_round`. Raises TournamentError `draw/…`: `draw/results_missing` if the
    pairing system needs the results of a round that is not closed.
    """
    seed = derive_draw_seed(round_.stream_id, round_.draws + 1)
    if regulations.pairing_system != systems.DRAWN:
        return _load_system_field(round_, regulations, seed)
    entries, threes = _select_players(round_, regulations, way)
    index = {entry.pk: i for i, entry in enumerate(entries)}
    size = regulations.play.seats
    if len(entries) < size and not threes:
        raise _too_few(len(entries), size)
    left = round_.championship.rounds.filter(number__gte=round_.number).count()
    apart: dict[tuple[str, bool], set[tuple[int, int]]] = defaultdict(set)
    for kind, soft, one, other in list_separated(round_.championship_id, regulations):
        if one in index and other in index:
            apart[kind, soft].add((index[one], index[other]))
    together: list[tuple[int, int]] = []
    if regulations.play.format == pairs.FORMAT:
        together = _fixed_pairs(entries)
        _require_partners(entries, together)
    problem = pairing.PairingProblem(
        players=len(entries),
        rounds=left if len(entries) * left <= _MAX_PLANNED_PLAYER_ROUNDS else 1,
        seed=seed,
        format="solo" if regulations.play.format == "solo" else "pairs",
        table_size=size,
        past=_load_past(round_, index),
        fixed_pairs=tuple(together),
        never_partner=tuple(sorted(apart[SideConstraint.Kind.NEVER_PARTNER, False])),
        never_meet=tuple(sorted(apart[SideConstraint.Kind.NEVER_MEET, False])),
        avoid_partner=tuple(sorted(apart[SideConstraint.Kind.NEVER_PARTNER, True])),
        avoid_meet=tuple(sorted(apart[SideConstraint.Kind.NEVER_MEET, True])),
        threes=threes,
        sit_out_last=_leaders(round_, entries, regulations) if left == 1 else (),
    )
    return DrawField(tuple(entries), problem, seed)


def _load_system_field(round_: Round, regulations: Regulations, seed: bytes) -> SystemField:
    system = systems.get_system(regulations.pairing_system)
    earlier = competition_document.list_earlier(round_)
    waiting = next((one for one in earlier if one.status != Round.Status.CLOSED), None)
    if "needs_results" in system.abilities and waiting is not None:
        raise TournamentError(
            "draw/results_missing",
            _("This draw needs all results: close round %(round)s first."),
            round=waiting.number,
        )
    competition, entries = competition_document.load_competition(
        round_.championship_id, earlier, regulations, seed.hex()
    )
    if regulations.play.format == pairs.FORMAT:
        here = [entry for entry in entries if entry.status == Entry.Status.ARRIVED]
        _require_partners(here, _fixed_pairs(here))
    if regulations.plays_in_teams:
        expected = encounters.list_expected(competition) if "bracket" in system.abilities else None
        encounters.require_teams(entries, regulations.members_of_entrant, expected)
    present = [entry for entry in load_arrived(round_) if entry.house]
    dealt = regulations.play.mode == "dealt"
    house = (
        *_list_helping([entry for entry in present if not entry.bot]),
        *(entry for entry in present if entry.bot and dealt),
    )
    return SystemField(tuple(entries), house, competition, seed, tuple(table_sizes(regulations)))


def _fixed_pairs(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """List the fixed pairs as sorted indices into `entries`."""
    members: dict[int, list[int]] = {}
    for index, entry in enumerate(entries):
        if entry.entrant_id is not None:
            members.setdefault(entry.entrant_id, []).append(index)
    return sorted((both[0], both[1]) for both in members.values() if len(both) == pairs.PARTNERS)


def _require_partners(entries: Sequence[Entry], together: Sequence[tuple[int, int]]) -> None:
    paired = {index for pair in together for index in pair}
    alone = [entry.name for index, entry in enumerate(entries) if index not in paired]
    if alone:
        raise TournamentError(
            "draw/no_partner",
            ngettext_lazy(
                "Present without a present partner: %(names)s. Name a partner at the desk, or mark "
                "them as not here.",
                "Present without a present partner: %(names)s. Form pairs at the desk, or mark them "
                "as not here.",
                "count",
            ),
            name=alone[0],
            names=join_names(alone),
            count=len(alone),
        )


def derive_draw_seed(round_stream: str, draw_number: int) -> bytes:
    """Derive the seed of the round's draw with this number: 32 bytes."""
    return round_seed.source_of(round_stream).derive_seed("pairing", draw_number)


def require_planned(round_: Round) -> None:
    """Raise TournamentError `draw/…` unless the round can be drawn next."""
    if load_regulations(round_.championship).has_queue:
        raise TournamentError(
            "draw/session",
            _("Nothing is drawn here: open the session, and seat the tables from its queue."),
        )
    if round_.status != Round.Status.PLANNED:
        raise _already_drawn(round_)
    before = Round.objects.filter(
        championship=round_.championship_id, number__lt=round_.number, status=Round.Status.PLANNED
    ).first()
    if before is not None:
        raise TournamentError(
            "draw/out_of_order", _("Round %(round)s must be drawn first."), round=before.number
        )


def _too_few(here: int, size: int) -> TournamentError:
    sentence = _("People present: %(here)s; a table needs %(size)s.")
    return TournamentError("draw/too_few", sentence, here=here, size=size)


def _already_drawn(round_: Round) -> TournamentError:
    return TournamentError("draw/already_drawn", _("Round %(round)s is already drawn."), round=round_.number)


def make_changed_meanwhile_error() -> TournamentError:
    """Make the error of a draw whose input changed during the search."""
    sentence = _("Presence, pairs, regulations or the ranking have changed meanwhile; draw again.")
    return TournamentError("draw/changed_meanwhile", sentence)


def load_arrived(round_: Round) -> list[Entry]:
    """Load the present people by number."""
    return list(
        Entry.objects.filter(championship=round_.championship_id, status=Entry.Status.ARRIVED).order_by(
            "number"
        )
    )


def _select_players(round_: Round, regulations: Regulations, way: str) -> tuple[list[Entry], int]:
    """Return the players of a draw and the number of tables of three.

    Players of the house are included only as far as they are needed to fill the last table.
    """
    everybody = load_arrived(round_)
    guests = [entry for entry in everybody if not entry.house]
    house = [entry for entry in everybody if entry.house and not entry.bot]
    choice = left_over_ways.select_choice(regulations, len(guests), len(house), way)
    if way and choice is None and len(guests) % regulations.play.seats:
        raise TournamentError(
            "draw/left_over",
            _("That is not possible with the people present (%(people)s); choose something else."),
            people=len(guests),
            way=way,
        )
    if choice is not None and choice.bots:
        there = [entry for entry in everybody if entry.bot][: choice.bots]
        if len(there) < choice.bots:
            raise make_changed_meanwhile_error()
        return sorted([*guests, *there], key=lambda entry: entry.number), 0
    if choice is None or choice.house == 0:
        return guests, choice.threes if choice is not None else 0
    helping = _list_helping(house)[: choice.house]
    return sorted([*guests, *helping], key=lambda entry: entry.number), 0


def _list_helping(house: Sequence[Entry]) -> list[Entry]:
    """List the players of the house, beginning with those who have had the fewest seats."""
    times = dict.fromkeys((entry.pk for entry in house), 0)
    for pk in Seating.objects.filter(entry__in=house).values_list("entry_id", flat=True):
        times[pk] += 1
    return sorted(house, key=lambda entry: (times[entry.pk], entry.number))


def _load_past(round_: Round, index: dict[int, int]) -> tuple[pairing.DrawnRound, ...]:
    """Load the earlier rounds. People are given as in `index` (entry → number); -1: a person who is not drawn
    now.

    Seats of a merged entry belong to the entry it was merged into.
    """
    twice = Entry.objects.filter(championship=round_.championship_id, merged_into__in=index)
    index = index | {pk: index[kept] for pk, kept in twice.values_list("pk", "merged_into_id") if kept}
    earlier = Round.objects.filter(championship=round_.championship_id, number__lt=round_.number)
    tables: dict[int, dict[int, list[int]]] = {}
    for number, table, entry in (
        Seating.objects.filter(round__in=earlier)
        .order_by("round__number", "table__number", "seat")
        .values_list("round__number", "table__number", "entry_id")
    ):
        tables.setdefault(number, {}).setdefault(table, []).append(index.get(entry, -1))
    byes: dict[int, list[int]] = {}
    for number, entry in Bye.objects.filter(round__in=earlier).values_list("round__number", "entry_id"):
        byes.setdefault(number, []).append(index.get(entry, -1))
    return tuple(
        pairing.DrawnRound(
            tuple(tuple(seats) for seats in tables[n].values()), tuple(sorted(byes.get(n, ())))
        )
        for n in sorted(tables)
    )


def _leaders(round_: Round, entries: Sequence[Entry], regulations: Regulations) -> tuple[int, ...]:
    """List the indexes of the leaders by the latest published ranking: they get no bye in the last round.

    Empty for the first round, for fixed pairs, and unless that ranking follows the previous round.
    """
    if round_.number == 1 or regulations.play.format == "fixed_pairs":
        return ()
    published = published_ranking.load_latest_snapshot(round_.championship)
    if published is None or published.after_round != round_.number - 1:
        return ()
    leaders = {row.key for row in published_ranking.decode_rows(published) if row.place == 1}
    return tuple(i for i, entry in enumerate(entries) if entry.number in leaders)


def mark_drawn(round_: Round, event: SeatsDrawn) -> None:
    """Mark the round as drawn with one update. Of concurrent draws only one succeeds.

    Raises TournamentError `draw/already_drawn`.
    """
    mine = Round.objects.filter(pk=round_.pk, status=Round.Status.PLANNED, draws=event.draw - 1).update(
        status=Round.Status.DRAWN, draws=event.draw, drawn_cost=event.cost
    )
    if not mine:
        raise _already_drawn(round_)


def create_seated_tables(
    round_: Round, mode: str, tables: Sequence[Sequence[Entry]], first: int = 1
) -> list[Table]:
    """Create tables, numbered from `first` on, with their people in order of play."""
    table_rows = Table.objects.bulk_create(
        Table(round=round_, number=number, mode=mode) for number, _people in enumerate(tables, first)
    )
    Seating.objects.bulk_create(
        Seating(round=round_, table=table, seat=seat, entry=entry)
        for table, people in zip(table_rows, tables, strict=True)
        for seat, entry in enumerate(people)
    )
    return table_rows


def store_seats(
    round_: Round,
    mode: str,
    tables: Sequence[Sequence[Entry]],
    byes: Sequence[Entry],
    event: SeatsDrawn,
    ref: str,
) -> None:
    """Store the tables and byes of a draw, and record it."""
    create_seated_tables(round_, mode, tables)
    Bye.objects.bulk_create(Bye(round=round_, entry=entry) for entry in byes)
    record(round_.stream_id, event, actor=ref, command_id=f"draw:{event.draw}")
    occasions.seats_changed(round_)


def _encode_note(note: systems.DrawNote) -> dict[str, Any]:
    return {"code": note.code, **note.params}


def _encode_problem(problem: pairing.PairingProblem | Competition) -> dict[str, Any]:
    """Encode the problem as JSON, without the seed, which is stored separately.

    Lists of people to be kept apart if possible (`avoid_…`) are left out if they are empty.
    """
    document: dict[str, Any] = msgspec.to_builtins(problem)
    del document["seed"]
    return {name: value for name, value in document.items() if value or not name.startswith("avoid_")}
