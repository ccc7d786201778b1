"""A person of a club across its championships: places as a line, best evening, partners, places in series."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from frontend.presenters.clubs.club_page import list_public_series, read_several_series
from frontend.presenters.standings.places_graph import Graph, PlaceHistory, draw_course_graph
from frontend.presenters.words.figures import format_figure
from games.models import User
from tournaments.models import Club, ClubSeries, Person
from tournaments.series.document import SeriesError
from tournaments.services.series.cached_series import load_several_series
from tournaments.services.series.person_history import AcrossEvenings, PersonEvening


@dataclass(frozen=True, slots=True)
class InSeries:
    """The person in a series. place: None if the person has taken part in too few events; people: number of
    ranked people; events: number of held events in which the person took part.
    """

    series: ClubSeries
    place: int | None
    people: int
    total: str
    events: int


@dataclass(frozen=True, slots=True)
class PersonsSeason:
    """The data of a person's page across evenings. graph: the places, the earliest evening first; labels: the
    horizontal position and the evening of each column; wins: number of first places.
    """

    found: AcrossEvenings
    graph: Graph | None
    labels: Sequence[tuple[str, PersonEvening]]
    series: Sequence[InSeries]
    wins: int


def load_persons_season(
    club: Club, person: Person, across_evenings: AcrossEvenings, reader: User | AnonymousUser, *, keeper: bool
) -> PersonsSeason:
    """Return the data of a person's page. `found`: the evenings that the reader may see; keeper: the reader
    keeps the club's roll.
    """
    ranked = [
        one for one in reversed(across_evenings.evenings) if one.row is not None and one.row.total is not None
    ]
    places = tuple(None if one.row is None else one.row.place for one in ranked)
    people = max((one.row.people for one in ranked if one.row is not None), default=0)
    graph = draw_course_graph(PlaceHistory(person.name, places), people)
    columns = graph.columns if graph is not None else ()
    return PersonsSeason(
        across_evenings,
        graph,
        [(x, one) for (_number, x), one in zip(columns, ranked, strict=bool(columns))],
        _list_series(club, person, reader, keeper=keeper or across_evenings.own),
        places.count(1),
    )


def _list_series(club: Club, person: Person, reader: User | AnonymousUser, *, keeper: bool) -> list[InSeries]:
    """Return the public series in which the person stands; unless the reader is a `keeper` or the person,
    only those whose names are in full.
    """
    ref = f"p{person.pk}"
    listed = []
    loaded_series = load_several_series(list_public_series(club), names=False)
    for loaded, reading in read_several_series(loaded_series, reader):
        if ref not in loaded.persons or not (keeper or reading.full):
            continue
        try:
            table = loaded.table
        except SeriesError:
            continue
        row = next((one for one in (*table.rows, *table.unranked) if one.ref == ref), None)
        if row is not None:
            events = sum(ref in event.totals for event in loaded.document.held)
            listed.append(
                InSeries(loaded.series, row.place, len(table.rows), format_figure(row.total), events)
            )
    return listed
