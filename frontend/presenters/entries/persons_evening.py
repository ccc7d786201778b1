"""One person's championship: each round with its table, partners, opponents and points, and the place after
it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from frontend.presenters.standings import loaded_rankings, ranking_lines
from frontend.presenters.standings.places_graph import Graph, PlaceHistory, draw_course_graph
from frontend.presenters.tables.tables import annotate_substitutes, seat_mark, substitute_name
from games.models import Game
from tournaments.models import Bye, Championship, Entry, Round, Seating, Substitute
from tournaments.regulations import PARTNERS_NEED, Regulations
from tournaments.services.people.entry_persons import load_persons
from tournaments.standings import RankingRow, RoundScore


@dataclass(frozen=True, slots=True)
class Tablemate:
    """Another person at the table: number and name, for a link."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class PersonsRound:
    """One round of a person's championship. `mark`: label of the chair; `url`: of the table, live or as
    replay; `live`: the game is not over; `stand_in`: the substitute who plays the last deals, from
    `from_deal` on; `so_far`: the points of the person's side in a running game; `place`: in the ranking after
    this round.
    """

    number: int
    status: str
    table: int | None = None
    mark: str = ""
    url: str = ""
    live: bool = False
    partners: tuple[Tablemate, ...] = ()
    opponents: tuple[Tablemate, ...] = ()
    stand_in: str = ""
    from_deal: int | None = None
    so_far: int | None = None
    score: RoundScore | None = None
    place: int | None = None
    bye: bool = False


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A chair that the person took over as a substitute. `whose`: the person drawn to it; `deal`: the first
    deal played.
    """

    round: int
    table: int
    whose: Tablemate | None
    deal: int


@dataclass(frozen=True, slots=True)
class PersonsEvening:
    number: int
    name: str
    club: str
    withdrawn: bool
    waits: bool
    row: RankingRow | None
    people: int
    with_whom: tuple[Tablemate, ...]
    """The other people of a pair or team that is ranked as one."""
    rounds: tuple[PersonsRound, ...]
    stood_in: tuple[StoodIn, ...]
    graph: Graph | None
    by_start: bool = False
    """Whether `rounds` are the person's starts in an open heat, each with the number of its session."""

    @property
    def now(self) -> PersonsRound | None:
        """The person's first round that is open or drawn, if any."""
        begun = (Round.Status.OPEN, Round.Status.DRAWN)
        return next((one for one in self.rounds if one.status in begun), None)


def load_evening(championship: Championship, entry: Entry, regulations: Regulations) -> PersonsEvening:
    """Return the person's championship, with the rounds played under each of their numbers. At most eleven
    queries if no results were corrected.
    """
    rounds = list(championship.rounds.exclude(status=Round.Status.PLANNED).order_by("number"))
    ranking = loaded_rankings.load_published(championship)
    row = ranking_lines.row_with(ranking.rows, entry.number)
    by_round = loaded_rankings.places_by_round(championship, ranking.after)
    places = {number: ranked.get(row.key) for number, ranked in by_round.items()} if row is not None else {}
    scores = {score.round: score for score in row.rounds} if row is not None else {}
    entry_keys = frozenset({entry.pk, *entry.merged.values_list("pk", flat=True)})
    if regulations.has_queue:
        persons = load_persons(championship.pk)
        entry_keys = frozenset(pk for pk, person in persons.items() if person == entry.pk)
    tables = _tables(entry_keys)
    out = set(Bye.objects.filter(entry__in=entry_keys).values_list("round", flat=True))
    others = [number for number in row.numbers if number != entry.number] if row is not None else []
    pair = championship.entries.filter(number__in=others) if others else ()
    name = _make_tablemate(entry).name
    history = PlaceHistory(name, tuple(places.get(number) for number in ranking.rounds))
    return PersonsEvening(
        number=entry.number,
        name=name,
        club=entry.club,
        withdrawn=entry.status == Entry.Status.WITHDRAWN and not entry.waits,
        waits=entry.waits,
        row=row,
        people=len(ranking.rows),
        with_whom=tuple(map(_make_tablemate, pair)),
        rounds=_starts(rounds, entry_keys, tables, scores, regulations)
        if regulations.has_queue
        else tuple(
            _round(one, entry_keys, tables.get(one.pk, ()), one.pk in out, scores, places, regulations)
            for one in rounds
        ),
        stood_in=_substituted_chairs(entry_keys),
        graph=None if regulations.has_queue else draw_course_graph(history, len(ranking.rows)),
        by_start=regulations.has_queue,
    )


def _starts(
    rounds: Sequence[Round],
    entry_keys: frozenset[int],
    tables: Mapping[int, Sequence[Seating]],
    scores: Mapping[int, RoundScore],
    regulations: Regulations,
) -> tuple[PersonsRound, ...]:
    """Return the starts of a person in an open heat, in the order of their numbers."""
    by_pk = {one.pk: one for one in rounds}
    at_table: dict[int, list[Seating]] = {}
    for seating in (one for seatings in tables.values() for one in seatings):
        at_table.setdefault(seating.table_id, []).append(seating)
    mine = [one for seatings in at_table.values() for one in seatings if one.entry_id in entry_keys]
    starts = []
    for number, seating in enumerate(sorted(mine, key=lambda one: one.entry.number), 1):
        session, people = by_pk[seating.round_id], at_table[seating.table_id]
        score = {session.number: scores[number]} if number in scores else {}
        starts.append(_round(session, entry_keys, people, False, score, {}, regulations))
    return tuple(starts)


def _tables(entry_keys: frozenset[int]) -> dict[int, list[Seating]]:
    """Return round → all seatings at the person's table, in the order of play. Keys are primary keys."""
    tables = Seating.objects.filter(entry__in=entry_keys).values("table")
    seatings: dict[int, list[Seating]] = {}
    everybody = Seating.objects.filter(table__in=tables).select_related("entry", "table__game")
    for seating in annotate_substitutes(everybody).order_by("seat"):
        seatings.setdefault(seating.round_id, []).append(seating)
    return seatings


def _round(
    round_: Round,
    own_keys: frozenset[int],
    at_table: Sequence[Seating],
    bye: bool,
    scores: Mapping[int, RoundScore],
    places: Mapping[int, int | None],
    regulations: Regulations,
) -> PersonsRound:
    score, place = scores.get(round_.number), places.get(round_.number)
    chair = next((one for one in at_table if one.entry_id in own_keys), None)
    if chair is None:
        return PersonsRound(round_.number, round_.status, score=score, place=place, bye=bye)
    game = chair.table.game
    live = game is not None and game.status not in Game.OVER
    together = regulations.play.format != "solo" and len(at_table) == PARTNERS_NEED
    others = [one for one in at_table if one is not chair]
    partners = [one for one in others if together and one.seat % 2 == chair.seat % 2]
    stand_in = substitute_name(round_.championship_id, chair.substitute, chair.stands_in)  # type: ignore[attr-defined]  # annotated by annotate_substitutes
    replaced = stand_in is not None and chair.stands_in not in own_keys  # type: ignore[attr-defined]  # annotated by annotate_substitutes
    return PersonsRound(
        number=round_.number,
        status=round_.status,
        table=chair.table.number,
        mark=seat_mark(chair.table.number, chair.seat, chips=regulations.chips()),
        url=_game_url(game),
        live=live,
        partners=tuple(_make_tablemate(one.entry) for one in partners),
        opponents=tuple(_make_tablemate(one.entry) for one in others if one not in partners),
        stand_in=(stand_in or "") if replaced else "",
        from_deal=chair.from_deal if replaced else None,  # type: ignore[attr-defined]  # annotated by annotate_substitutes
        so_far=_points_so_far(game, chair.seat) if live else None,
        score=score,
        place=place,
    )


def _game_url(game: Game | None) -> str:
    if game is None:
        return ""
    over = game.status in Game.OVER
    return reverse("replay" if over and game.mode != Game.Mode.SHEET else "table_live", args=[game.pk])


def _points_so_far(game: Game | None, seat: int) -> int | None:
    """Return the points of the seat's side; None before the sides or points are known."""
    if game is None or seat >= len(game.sides) or not (any(game.totals) or game.deal > 1):
        return None
    side = game.sides[seat]
    total: int | None = game.totals[side] if side < len(game.totals) else None
    return total


def _substituted_chairs(own: frozenset[int]) -> tuple[StoodIn, ...]:
    rows = list(
        Substitute.objects.filter(entry__in=own).select_related("table__round").order_by("table", "deal")
    )
    chairs = Seating.objects.filter(table__in=[row.table_id for row in rows]).select_related("entry")
    drawn = {(one.table_id, one.seat): one.entry for one in chairs} if rows else {}
    found = []
    for row in rows:
        whose = drawn.get((row.table_id, row.seat))
        if whose is None or whose.pk not in own:
            mate = _make_tablemate(whose) if whose is not None else None
            found.append(StoodIn(row.table.round.number, row.table.number, mate, row.deal))
    return tuple(found)


def _make_tablemate(entry: Entry) -> Tablemate:
    return Tablemate(entry.number, ranking_lines.name_of({entry.number: entry}, entry.number))
