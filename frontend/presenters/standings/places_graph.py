"""The places of people after each round, drawn as lines. This module computes the geometry and the template
draws it.

Heights are pixels, because names stand beside the drawing; widths are relative, so that the drawing fills its
panel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

ROW = 24
"""Height of a line's row in pixels. Names beside the drawing have this height too, the smallest that is easy
to touch (see standings.css).
"""
COLUMN = 96
LEFT, RIGHT, TOP, BOTTOM = 40, 14, 34, 14
"""The margins around the lines, in pixels (see standings.css)."""
NARROW, ALONE = 72, 120
"""Width of a column and height of the lines, in pixels, in a graph of one person."""


@dataclass(frozen=True, slots=True)
class PlaceHistory:
    """The places of one entrant after each round, in order; None for a round in which it was not ranked.
    `mine`: it is the reader's.
    """

    label: str
    places: tuple[int | None, ...]
    mine: bool = False
    number: int | None = None
    """The person's number, for the link to their page; None for a pair or team."""


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: int
    place: int


@dataclass(frozen=True, slots=True)
class GraphLine:
    """The line of one entrant in the graph. `place`: the latest place; `tone`: CSS classes; `said`: all
    places, for screen readers. Beside the drawing each name has a row of its own, even if places are shared.
    """

    label: str
    dots: tuple[Dot, ...]
    place: int
    tone: str
    said: str = ""
    number: int | None = None

    @property
    def steps(self) -> Iterator[tuple[Dot, Dot]]:
        """Each pair of consecutive dots."""
        return pairwise(self.dots)


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing of a graph. `width`: its minimum width in pixels; `height`: in pixels."""

    width: int
    height: int
    columns: tuple[tuple[int, str], ...]
    """(round, x position) of each column."""
    rows: tuple[tuple[int, int], ...]
    """(place, y position) of each labelled place: all of up to 20, else the first and every tenth."""
    lines: tuple[GraphLine, ...]


def draw_places_graph(courses: Sequence[PlaceHistory]) -> Graph | None:
    """Draw these histories, which must be sorted by their last place. Returns None if fewer than two rounds
    have been played.
    """
    rounds = max((len(course.places) for course in courses), default=0)
    if rounds < 2:
        return None
    height = TOP + ROW * len(courses) + BOTTOM
    lines = tuple(_line(course, row) for row, course in enumerate(courses, 1))
    marked = [n for n in range(1, len(courses) + 1) if len(courses) <= 20 or n % 10 == 0 or n == 1]
    return Graph(
        width=LEFT + COLUMN * (rounds - 1) + RIGHT,
        height=height,
        columns=_columns(rounds),
        rows=tuple((place, _y(place)) for place in marked),
        lines=lines,
    )


def draw_course_graph(course: PlaceHistory, people: int) -> Graph | None:
    """Draw a single history with a fixed height: place 1 is at the top and the last place, `people`, at the
    bottom. Returns None if fewer than two rounds have been played or the person was never ranked.
    """
    if len(course.places) < 2 or not any(course.places):
        return None
    step = ALONE / max(1, people - 1)
    dots = tuple(
        Dot(_x(i, len(course.places)), TOP + 16 + round(step * (place - 1)), place)
        for i, place in enumerate(course.places)
        if place is not None
    )
    line = GraphLine(course.label, dots, dots[-1].place, "mine")
    rounds = len(course.places)
    width = LEFT + NARROW * (rounds - 1) + RIGHT
    return Graph(width, TOP + 16 + ALONE + BOTTOM, _columns(rounds), (), (line,))


def _columns(rounds: int) -> tuple[tuple[int, str], ...]:
    return tuple((number + 1, _x(number, rounds)) for number in range(rounds))


def _x(column: int, columns: int) -> str:
    return f"{100 * column / (columns - 1):.4g}%"


def _line(course: PlaceHistory, row: int) -> GraphLine:
    dots = tuple(
        Dot(_x(i, len(course.places)), _y(place), place)
        for i, place in enumerate(course.places)
        if place is not None
    )
    last = course.places[-1] or row
    tone = "mine" if course.mine else f"top top-{row}" if row <= 3 else ""
    return GraphLine(
        label=course.label,
        dots=dots,
        place=last,
        tone=tone,
        said=", ".join("–" if place is None else str(place) for place in course.places),
        number=course.number,
    )


def _y(place: int) -> int:
    return TOP + ROW * (place - 1) + ROW // 2
