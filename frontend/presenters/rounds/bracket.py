"""The bracket for its page: phases, matches, names and scores."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.presenters.rounds.draw_notes import name_entrants
from tournaments.bracket import Bracket, BracketPart, Match, matches_of
from tournaments.competition import Points
from tournaments.models import Championship

PHASES: Final = {
    1: gettext_lazy("Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
}
"""Name of a phase by its number of matches."""
_MATCH: Final = 2
"""Number of entrants in a match of two, unlike a table of three or four on its own."""
DECISIONS: Final[Mapping[str, Promise]] = {
    "walkover": gettext_lazy("without a game"),
    "level": gettext_lazy("level; by the points before"),
    "lot": gettext_lazy("level; by lot"),
}


@dataclass(frozen=True, slots=True)
class SlotView:
    """One entrant of a match, or an empty slot. scores: the points in each game of the match."""

    name: str
    scores: tuple[str, ...]
    won: bool


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match of a bracket as its page shows it. note: the place at stake, unless it is place 1, and what
    decided the match, unless points did.
    """

    slots: tuple[SlotView, ...]
    note: str


@dataclass(frozen=True, slots=True)
class PhaseView:
    name: str
    matches: tuple[MatchView, ...]
    current: bool


@dataclass(frozen=True, slots=True)
class BracketView:
    """A bracket as its page shows it. late: names of the entrants who entered after the first round and
    therefore have no place in the bracket.
    """

    phases: tuple[PhaseView, ...]
    late: tuple[str, ...]


def view_bracket(championship: Championship, bracket: Bracket) -> BracketView:
    """Return the bracket with the names of its entrants. At most two queries, for the names."""
    refs = {ref for parts in bracket.phases for match in matches_of(parts) for ref in match.entrants}
    named = name_entrants(championship, refs | set(bracket.late))
    return BracketView(
        tuple(_view_phases(bracket, named)), tuple(sorted(named[ref] for ref in bracket.late if ref in named))
    )


def _view_phases(bracket: Bracket, named: Mapping[str, str]) -> Iterator[PhaseView]:
    for at, parts in enumerate(bracket.phases):
        yield PhaseView(
            _name_phase(at, parts, bracket.heads),
            tuple(_view_match(match, part, at, named) for part in parts for match in part.matches),
            current=at == bracket.current and not bracket.over,
        )


def _name_phase(at: int, parts: tuple[BracketPart, ...], heads: int) -> str:
    matches = len(parts[0].matches)
    if matches == 1 or (heads == _MATCH and matches in PHASES):
        return str(PHASES[matches])
    if heads == _MATCH:
        return _("Last %(n)d") % {"n": heads * matches}
    return _("Phase %(n)d") % {"n": at + 1}


def _view_match(match: Match, part: BracketPart, at: int, named: Mapping[str, str]) -> MatchView:
    empty = "–" if at == 0 or match.decided else "…"
    notes = [_("for place %(n)d") % {"n": part.place}] if part.place > 1 else []
    if match.decision in DECISIONS:
        notes.append(str(DECISIONS[match.decision]))
    return MatchView(
        tuple(
            SlotView(
                empty if ref is None else named.get(ref, "–"),
                tuple(format_game_points(game.points[slot]) for game in match.games),
                won=ref is not None and ref in match.winners,
            )
            for slot, ref in enumerate(match.slots)
        ),
        ", ".join(notes),
    )


def format_game_points(points: Points | None) -> str:
    """Write the points of a game, fractions unrounded ("37/3"); "–" without points."""
    if points is None:
        return "–"
    return str(points).replace("-", "−")
