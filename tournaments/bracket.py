"""The bracket of a knock-out: matches, winners and places, recomputed from the competition, never stored.

Positions follow from start ranks and the seed, winners from results. A phase (quarter-finals, semi-finals …)
takes one round, or several if a match takes several games or has no result; the next phase begins when all
its matches are decided. Source: the standard seeded bracket of single elimination, with the snake order for
tables of more than two entrants.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

import msgspec

from tournaments.competition import Competition, CompetitionError, PlayedRound, PlayedTable, Points, ordered

Decision = Literal["", "bye", "walkover", "points", "level", "lot"]
"""How a match was decided.

"": not yet; `bye`: no opponent; `walkover`: the others were absent; `points`: by points; `level`: equal
points, decided by the mean points a game so far; `lot`: equal means too, decided by lot."""
KNOCK_OUT: Final = "knock_out"
"""Key of the pairing system with a bracket."""
SEMI_FINALISTS: Final = 4
_UNKNOWN: Final = "\0"
"""First character of the ref that replaces the unknown ref of a past player who is no entrant any more."""
_HARD: Final = 1 << 20
"""Weight of two entrants that must not meet. It outweighs all pairs that only should not meet."""
MAX_SEPARATIONS: Final = 100_000
"""Largest number of exchanges tried to keep entrants apart in the first phase."""
_OUTSIDE: Final = (1 << 30, 0, 0)
"""Sort key of entrants without a position in the bracket; it comes last."""


class BracketOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of a knock-out.

    seeded: entrants are placed by start rank, otherwise by lot. advance: number of entrants that go on from a
    table of three or four; default 1 of three, 2 of four. For matches of two: third: the losers of the
    semi-finals play for place 3; best_of: number of games, odd; places: all losers of a phase play on for
    their places.
    """

    seeded: bool = True
    third: bool = False
    advance: int | None = None
    best_of: int = 1
    places: bool = False


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match.

    round: its number. points: by slot of the match; None for a slot without points. order: the refs that
    played, best first.
    """

    round: int
    points: tuple[Points | None, ...]
    order: tuple[str, ...]


@dataclass(slots=True)
class Match:
    """A match of two entrants, or a table of three or four of which some go on.

    place: the best place that the match can lead to. slots: refs; None for an empty slot (a bye, or nobody
    went on). without_result: the last round gave no result. settled: the round in which the match was
    decided, or 0. order: refs, best first, once the match is decided. winners: refs that go on; in the last
    phase the winner alone.
    """

    place: int
    slots: tuple[str | None, ...]
    games: list[MatchGame] = field(default_factory=list)
    without_result: bool = False
    decision: Decision = ""
    settled: int = 0
    order: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(ref for ref in self.slots if ref is not None)

    @property
    def losers(self) -> tuple[str, ...]:
        return tuple(ref for ref in self.order if ref not in self.winners)

    @property
    def decided(self) -> bool:
        return self.decision != ""


@dataclass(frozen=True, slots=True)
class BracketPart:
    """The matches of one phase whose entrants play for the places from `place` on, in bracket order.

    The winners of neighbouring matches meet in one match of the next phase.
    """

    place: int
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """All phases of a bracket.

    phases: each a tuple of parts; later phases have the slots that are known so far. current: index of the
    phase of the next round, unless the bracket is over. heads: entrants of a full match. advance: number of
    entrants who go on from a match. late: refs of late entrants, who have no position in the bracket. places:
    present place by ref; entrants who are not separated yet share a place.
    """

    phases: tuple[tuple[BracketPart, ...], ...]
    current: int
    over: bool
    heads: int
    advance: int
    late: tuple[str, ...]
    places: Mapping[str, int]

    @property
    def current_matches(self) -> list[Match]:
        """Matches of the current phase, those for the best places first."""
        return list(matches_of(self.phases[self.current]))

    @property
    def open_matches(self) -> list[Match]:
        """Undecided matches of the current phase; the next round plays them."""
        return [match for match in self.current_matches if not match.decided]


def matches_of(parts: Iterable[BracketPart]) -> Iterator[Match]:
    """Yield the matches of one phase's parts, those for the best places first."""
    for part in parts:
        yield from part.matches


def read_bracket_options(competition: Competition) -> BracketOptions:
    """Decode and check the options of a knock-out. Raises CompetitionError `pairing/options`."""
    try:
        options = msgspec.convert(competition.options, BracketOptions)
    except msgspec.ValidationError as error:
        raise CompetitionError("pairing/options", f"options of knock_out: {error}") from None
    heads = count_heads(competition)
    if options.best_of < 1 or options.best_of % 2 == 0:
        raise CompetitionError("pairing/options", "best_of is an odd number of games")
    if heads > 2 and (options.best_of > 1 or options.places):
        raise CompetitionError("pairing/options", "best_of and places are for matches of two")
    advance = _count_advance(options, heads)
    if not 1 <= advance < heads or heads % advance:
        raise CompetitionError(
            "pairing/options", f"{advance} of {heads} cannot go on: the number divides the seats of a table"
        )
    return options


def count_heads(competition: Competition) -> int:
    """Return the number of entrants of a full match.

    Two if an entrant has several persons (pairs, teams), else the seats of a table.
    """
    single = all(len(entrant.persons) == 1 for entrant in competition.entrants)
    return competition.size if single else 2


def _count_advance(options: BracketOptions, heads: int) -> int:
    if heads == 2:
        return 1
    return options.advance if options.advance is not None else heads // 2


def build_bracket(competition: Competition) -> Bracket:
    """Return the bracket after the past rounds, opened for the next round.

    Raises CompetitionError `pairing/options`.
    """
    replay = _Replay(competition, read_bracket_options(competition))
    for one in competition.past:
        replay.play(one)
    replay.open_round(competition.next_number)
    return replay.finish()


RankedLine = tuple[int, str, Points, tuple[Points | None, ...], str | None]
"""Fields of `tournaments.standings.competition_ranking.CompetitionLine`."""


def rank_knock_out(competition: Competition) -> list[RankedLine]:
    """Return a line of each entrant, first place first. There is no tie-break: the last field is None.

    While matches for the same places are open, their entrants share one place. Entrants who have won such a
    match come before them. Entrants without a position in the bracket are last.
    """
    places = build_bracket(competition).places
    rounds = [score_round(competition.ref_of, one.tables) for one in competition.past]
    rows: list[RankedLine] = []
    for ref in sorted(competition.by_ref, key=lambda ref: (places[ref], ref)):
        gained = tuple(points.get(ref) for points in rounds)
        total = sum((found for found in gained if found is not None), Fraction(0))
        rows.append((places[ref], ref, total, gained, None))
    return rows


def find_through(competition: Competition, number: int, table: int) -> set[str]:
    """Return those refs at a table of a past round that have won the table's match; none while it is
    undecided, or after a walkover.

    number: number of the round; table: index among the tables of the round.
    """
    one = next(played for played in competition.past if played.round == number)
    met = set(competition.entrants_at(one.tables[table]))
    return {
        ref
        for parts in build_bracket(competition).phases
        for match in matches_of(parts)
        if any(game.round == number for game in match.games)
        for ref in match.winners
        if ref in met
    }


def can_undo(competition: Competition, number: int, table: int) -> bool:
    """Return whether a result can be undone: it exists, and no entrant of the table has a later result.

    number: number of the round; table: index among the tables of the round.
    """
    rounds = {one.round: one for one in competition.past}
    if number not in rounds or not 0 <= table < len(rounds[number].tables):
        return False
    asked = rounds[number].tables[table]
    met = {*asked.seats, *competition.entrants_at(asked)}
    return _has_result(asked) and not any(
        not met.isdisjoint((*later.seats, *competition.entrants_at(later))) and _has_result(later)
        for one in competition.past
        if one.round > number
        for later in one.tables
    )


def _has_result(table: PlayedTable) -> bool:
    return bool(table.walkover) or any(points is not None for points in table.points)


def score_round(ref_of: Mapping[str, str], tables: Iterable[PlayedTable]) -> dict[str, Points]:
    """Return the points of a round by ref: each table of an entrant adds the mean of the entrant's seats
    there.

    Entrants with a seat without a result are left out.
    """
    found: dict[str, Points] = {}
    missing: set[str] = set()
    for table in tables:
        seats: dict[str, list[int | None]] = {}
        for at, person in enumerate(table.seats):
            if person in ref_of:
                seats.setdefault(ref_of[person], []).append(table.points[at] if table.points else None)
        for ref, values in seats.items():
            known = [value for value in values if value is not None]
            if len(known) < len(values):
                missing.add(ref)
            else:
                mean = known[0] if len(set(known)) == 1 else Fraction(sum(known), len(known))
                found[ref] = found.get(ref, 0) + mean
    return {ref: points for ref, points in found.items() if ref not in missing}


def draw_number(seed: str, label: str) -> int:
    """Return the first 32-bit number of the random stream of `label` (`tournaments.pairing.stream`)."""
    block = hmac.digest(seed.encode(), label.encode() + b"\0" + bytes(8), "sha256")
    return int.from_bytes(block[:4], "big")


def order_tables(count: int, group: int) -> list[int]:
    """Return the ranks 1 … count of the first-phase tables in bracket order. `count` is a power of `group`.

    group: number of neighbouring matches whose winners meet. Each step replaces rank r among k tables by the
    first `group` of r, 2k + 1 - r, 2k + r, 4k + 1 - r (snake order).
    """
    ranks = [1]
    while len(ranks) < count:
        k = len(ranks)
        ranks = [rank for r in ranks for rank in (r, 2 * k + 1 - r, 2 * k + r, 4 * k + 1 - r)[:group]]
    return ranks


def fill_tables(entrants: Sequence[str], heads: int, advance: int) -> list[tuple[str | None, ...]]:
    """Place entrants, best first, at the tables of the first phase, and return the slots by table in bracket
    order.

    Each table gets at least `advance` entrants, if there are so many. If the entrants do not fill all tables,
    the tables of the best ranks get only `advance` entrants, who go on without a game. Of the other tables at
    most one is short. If there are four tables, the first four entrants are at different ones.
    """
    group = heads // advance
    count = 1
    while count * heads < len(entrants):
        count *= group
    surplus = max(len(entrants) - advance * count, 0)
    full, more = divmod(surplus, heads - advance)
    byes = count - full - (more > 0)
    tables: dict[int, list[str]] = {rank: [] for rank in range(1, count + 1)}
    left = list(entrants)
    for rank, second in _bye_pairs(byes, count, advance):
        tables[rank] = [entrants[at] for at in (rank - 1, second - 1)[:advance] if at < len(entrants)]
        left = [ref for ref in left if ref not in tables[rank]]
    played = list(range(byes + 1, count + 1))
    room = dict.fromkeys(played, heads)
    if more:
        room[byes + 1] = advance + more
    while left and played:
        for rank in played:
            if left and len(tables[rank]) < room[rank]:
                tables[rank].append(left.pop(0))
        played.reverse()
    return [_pad(tables[rank], heads) for rank in order_tables(count, group)]


def weigh_meetings(competition: Competition) -> Callable[[str, str], int]:
    """Return a function that returns the weight of a meeting of two refs; 0: they may meet.

    A `hard` pair in `apart` is heavy; a `soft` one weighs 1, and a common team adds 1.
    """
    stated: dict[tuple[str, str], int] = {}
    for a, b, how in competition.apart:
        names = ordered(competition.ref_of.get(a, a), competition.ref_of.get(b, b))
        stated[names] = max(stated.get(names, 0), _HARD if how == "hard" else 1)
    teams = {ref: entrant.team for ref, entrant in competition.by_ref.items() if entrant.team is not None}

    def weigh(a: str, b: str) -> int:
        return stated.get(ordered(a, b), 0) + (a in teams and teams[a] == teams.get(b))

    return weigh


def separate(
    order: list[str], drawn: int, heads: int, advance: int, weigh: Callable[[str, str], int]
) -> None:
    """Exchange entrants of `order`, in place, to lower the total weight of the meetings in the first phase.

    drawn: index of the first entrant placed by lot; those before it keep their positions. heads, advance: as
    in `fill_tables`. weigh: the weight of a meeting of two refs, 0 if they may meet.
    """
    tables = [
        [int(at) for at in slots if at is not None]
        for slots in fill_tables([str(at) for at in range(len(order))], heads, advance)
    ]
    home = {at: table for table in tables for at in table}

    def cost(at: int) -> int:
        return sum(weigh(order[at], order[other]) for other in home[at] if other != at)

    better, tried = True, 0
    while better and tried < MAX_SEPARATIONS:
        better = False
        for one in range(drawn, len(order)):
            if not cost(one):
                continue
            for other in range(drawn, len(order)):
                if home[one] is home[other] or tried >= MAX_SEPARATIONS:
                    continue
                tried += 1
                before = cost(one) + cost(other)
                order[one], order[other] = order[other], order[one]
                if cost(one) + cost(other) < before:
                    better = True
                    break
                order[one], order[other] = order[other], order[one]


def _bye_pairs(byes: int, count: int, advance: int) -> list[tuple[int, int]]:
    """Return the tables that are not played, as (table rank, which is the first seed; second seed)."""
    if advance > 1 and count >= SEMI_FINALISTS and byes < SEMI_FINALISTS:
        return [(rank, SEMI_FINALISTS + byes + 1 - rank) for rank in range(1, byes + 1)]
    return [(rank, 2 * byes + 1 - rank) for rank in range(1, byes + 1)]


def _pad(refs: Sequence[str], length: int) -> tuple[str | None, ...]:
    return (*refs, *[None] * (length - len(refs)))


class _Replay:
    """The bracket under construction, advanced by each past round."""

    def __init__(self, competition: Competition, options: BracketOptions) -> None:
        self.competition = competition
        self.options = options
        self.heads = count_heads(competition)
        self.advance = _count_advance(options, self.heads)
        self.ref_of: dict[str, str] = dict(competition.ref_of)
        first = competition.past[0] if competition.past else None
        if first is not None:
            self._name_unknown(first)
        members = self._find_members(first)
        self.late = tuple(ref for ref in competition.by_ref if ref not in members)
        order, drawn = self._order_entrants(members)
        separate(order, drawn, self.heads, self.advance, weigh_meetings(competition))
        tables = fill_tables(order, self.heads, self.advance)
        self.part_size = len(tables)
        self.phases: list[tuple[BracketPart, ...]] = [
            (BracketPart(1, tuple(Match(1, slots) for slots in tables)),)
        ]
        self.over = False
        self.seated: set[str] = set()
        self.gained: dict[str, tuple[Points, int]] = {}

    def _name_unknown(self, first: PlayedRound) -> None:
        """Give refs to players of the first round who are no entrants any more."""
        for table in first.tables:
            for at, person in enumerate(table.seats):
                if person in self.ref_of:
                    continue
                known = [self.ref_of[p] for p in table.seats if p in self.competition.ref_of]
                side = person if self.heads > 2 else known[0] if known else table.seats[at % 2]
                self.ref_of[person] = _UNKNOWN + side

    def _find_members(self, first: PlayedRound | None) -> set[str]:
        """Return the refs with a position in the bracket: those entered for the first round, and those that
        were in it.
        """
        members = {
            entrant.ref
            for entrant in self.competition.entrants
            if entrant.from_round <= 1 and (entrant.until_round is None or entrant.until_round >= 1)
        }
        if first is not None:
            members |= {self.ref_of[person] for table in first.tables for person in table.seats}
            members |= {*first.byes, *first.absent, *first.no_show}
        return members

    def _order_entrants(self, members: Iterable[str]) -> tuple[list[str], int]:
        """Return refs from the best seed to the last, and the index of the first ref placed by lot.

        Entrants with a start rank come first if the options say `seeded`; all others follow by lot.
        """

        def rank(ref: str) -> tuple[bool, int, int, str]:
            entrant = self.competition.by_ref.get(ref)
            given = entrant.start_rank if entrant is not None and self.options.seeded else None
            return given is None, given or 0, self.draw_lot("seed", ref), ref

        order = sorted(members, key=rank)
        return order, sum(not rank(ref)[0] for ref in order)

    def draw_lot(self, purpose: str, ref: str) -> int:
        """Return a number that depends only on the seed, the purpose and the entrant."""
        return draw_number(self.competition.lasting_seed, f"knock_out/{purpose}/{ref}")

    # phases

    @property
    def parts(self) -> tuple[BracketPart, ...]:
        return self.phases[-1]

    @property
    def is_last(self) -> bool:
        """Whether the current phase contains the final."""
        return self.part_size == 1

    @property
    def pass_on(self) -> int:
        """Number of entrants who go on from a match; 1 in the last phase, for the winner."""
        return 1 if self.is_last else self.advance

    def open_round(self, number: int, played: PlayedRound | None = None) -> None:
        """Decide matches that need no game (byes, walkovers), and begin the next phase whenever all are
        decided.

        played: the round if it is past; hand-made changes of its draw are followed.
        """
        self.seated = self._find_seated(played) if played is not None else set()
        while not self.over:
            if played is not None and not self._would_be_decided(number):
                self._follow_hand_draw(played)
            for match in matches_of(self.parts):
                if not match.decided:
                    self._settle_absences(match, number)
            if not all(match.decided for match in matches_of(self.parts)):
                return
            if self.is_last:
                self.over = True
                return
            self.phases.append(self._make_next(self.parts))
            self.part_size //= self.heads // self.advance

    def _would_be_decided(self, number: int) -> bool:
        return all(
            match.decided
            or len(match.entrants) <= self.pass_on
            or len(self._find_present(match, number)) <= self.pass_on
            for match in matches_of(self.parts)
        )

    def _make_next(self, parts: Sequence[BracketPart]) -> tuple[BracketPart, ...]:
        """Return the parts of the phase that follows `parts`, with the slots that are known."""
        group = self.heads // self.advance
        following: list[BracketPart] = []
        for part in parts:
            size = len(part.matches)
            going = [_pad(match.winners, self.advance) for match in part.matches]
            following.append(_join(part.place, going, group))
            if self.heads == 2 and (self.options.places or (self.options.third and size == 2)):
                losing = [match.losers if len(match.losers) == 1 else (None,) for match in part.matches]
                following.append(_join(part.place + size, losing, group))
        return tuple(following)

    # matches

    def _find_present(self, match: Match, number: int) -> list[str]:
        """Return the entrants of a match who are expected in a round, or have played in it."""
        return [ref for ref in match.entrants if ref in self.seated or self._is_expected(ref, number)]

    def _find_seated(self, played: PlayedRound) -> set[str]:
        return set(score_round(self.ref_of, played.tables)) | {
            self.ref_of[person]
            for table in played.tables
            for person in table.seats
            if self.ref_of.get(person, "").startswith(_UNKNOWN)
        }

    def _is_expected(self, ref: str, number: int) -> bool:
        entrant = self.competition.by_ref.get(ref)
        return entrant is not None and self.competition.is_present(entrant, number)

    def _settle_absences(self, match: Match, number: int) -> None:
        if len(match.entrants) <= self.pass_on:
            self._decide(match, "bye", number, match.entrants, match.entrants)
            return
        present = self._find_present(match, number)
        if len(present) <= self.pass_on:
            gone = [ref for ref in match.entrants if ref not in present]
            self._decide(match, "walkover", number, (*present, *gone), present)

    def _decide(
        self, match: Match, decision: Decision, number: int, order: Sequence[str], able: Sequence[str]
    ) -> None:
        """End a match. order: its refs from first to last; able: the refs of `order` who may go on."""
        match.decision, match.settled, match.order = decision, number, tuple(order)
        match.winners = tuple(ref for ref in order if ref in able)[: self.pass_on]

    def _follow_hand_draw(self, played: PlayedRound) -> None:
        """Move entrants between matches without games where officials have changed the drawn tables."""
        for part in self.parts:
            free = [match for match in part.matches if not match.decided and not match.games]
            home = {ref: match for match in free for ref in match.entrants}
            for table in played.tables:
                met = [ref for ref in self._refs_at(table) if ref in home]
                target = home[met[0]] if met else None
                for ref in met:
                    other = next((r for r in target.entrants if r not in met), None) if target else None
                    if target is not None and home[ref] is not target:
                        self._swap(home, ref, other, target)

    def _swap(self, home: dict[str, Match], ref: str, other: str | None, target: Match) -> None:
        """Exchange `ref` with `other` of the match `target`; None as `other` means an empty slot of it."""
        if other is None and None not in target.slots:
            return
        origin = home[ref]
        origin.slots = tuple(other if slot == ref else slot for slot in origin.slots)
        at = target.slots.index(other)
        target.slots = (*target.slots[:at], ref, *target.slots[at + 1 :])
        home[ref] = target
        if other is not None:
            home[other] = origin

    def _refs_at(self, table: PlayedTable) -> list[str]:
        return list(dict.fromkeys(self.ref_of[p] for p in table.seats if p in self.ref_of))

    # results

    def play(self, one: PlayedRound) -> None:
        """Apply the results of a past round."""
        self.open_round(one.round, one)
        points = score_round(self.ref_of, one.tables)
        for ref, value in points.items():
            total, games = self.gained.get(ref, (Fraction(0), 0))
            self.gained[ref] = total + value, games + 1
        if self.over:
            return
        walkovers = {ref for table in one.tables for ref in table.walkover}
        away = walkovers | ({*one.no_show, *one.absent} - set(points))
        seated = {ref for table in one.tables for ref in self._refs_at(table)}
        for match in matches_of(self.parts):
            if match.decided:
                continue
            gone = [ref for ref in match.entrants if ref in away]
            through = [ref for ref in match.entrants if ref in one.byes]
            if through and not seated & set(match.entrants) and len(through) <= self.pass_on:
                gone = [ref for ref in match.entrants if ref not in through]
            rest = [ref for ref in match.entrants if ref not in gone]
            if any(ref in points for ref in rest):  # points for some only: the others did not play
                gone += [ref for ref in rest if ref not in points]
                rest = [ref for ref in rest if ref in points]
            if gone and len(rest) <= self.pass_on:
                rest.sort(key=lambda ref: self._level_key(ref, one.round))
                self._decide(match, "walkover", one.round, (*rest, *gone), rest)
            elif all(ref in points for ref in rest):
                self._count_game(match, one.round, points, rest, gone)
            match.without_result = not match.decided and (
                not match.games or match.games[-1].round < one.round
            )

    def _count_game(
        self, match: Match, number: int, points: Mapping[str, Points], rest: list[str], gone: list[str]
    ) -> None:
        direction = self.competition.direction
        rest.sort(key=lambda ref: (-direction * points[ref], self._level_key(ref, number)))
        match.games.append(
            MatchGame(number, tuple(points.get(ref or "") for ref in match.slots), tuple(rest))
        )
        won = sum(game.order[0] == rest[0] for game in match.games)
        if 2 * won <= self.options.best_of:
            return
        line = self.pass_on if not self.is_last else 1
        decision: Decision = "points"
        if line < len(rest) and points[rest[line - 1]] == points[rest[line]]:
            same = self._level_key(rest[line - 1], number)[0] == self._level_key(rest[line], number)[0]
            decision = "lot" if same else "level"
        self._decide(match, decision, number, (*rest, *gone), rest)

    def _level_key(self, ref: str, number: int) -> tuple[Points, int, str]:
        """Return the sort key of entrants with equal points: mean points a game so far, then the lot."""
        total, games = self.gained.get(ref, (Fraction(0), 0))
        mean = Fraction(total) / games if games else Fraction(0)
        return -self.competition.direction * mean, self.draw_lot(f"level/{number}", ref), ref

    # the end

    def finish(self) -> Bracket:
        current = len(self.phases) - 1
        places = self._find_places()
        size = self.part_size
        while size > 1:
            self.phases.append(self._make_next(self.phases[-1]))
            size //= self.heads // self.advance
        return Bracket(tuple(self.phases), current, self.over, self.heads, self.advance, self.late, places)

    def _find_places(self) -> dict[str, int]:
        reached: dict[str, tuple[int, int, int]] = {}
        for parts in self.phases:
            last = all(len(part.matches) == 1 for part in parts)
            for part in parts:
                through = 1 if last else len(part.matches) * self.advance
                for match in part.matches:
                    for at, ref in enumerate(match.order if match.decided else match.entrants):
                        if not match.decided:
                            reached[ref] = part.place, 1, 0
                        elif ref in match.winners:
                            reached[ref] = part.place, 0, 0
                        else:
                            played = self.heads > 2 and match.decision in {"points", "level", "lot"}
                            reached[ref] = part.place + through, 2, at if played else 0
        keys = {ref: reached.get(ref, _OUTSIDE) for ref in self.competition.by_ref}
        standing = sorted(keys.values())
        first = {key: at + 1 for at, key in reversed(list(enumerate(standing)))}
        return {ref: first[key] for ref, key in keys.items()}


def _join(place: int, feeding: Sequence[tuple[str | None, ...]], group: int) -> BracketPart:
    """Return the part whose matches each take the entrants of `group` neighbouring matches.

    feeding: refs that go on, by match; None for nobody.
    """
    joined = [
        tuple(slot for slots in feeding[at : at + group] for slot in slots)
        for at in range(0, len(feeding), group)
    ]
    return BracketPart(place, tuple(Match(place, slots) for slots in joined))
