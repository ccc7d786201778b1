"""The bracket of a championship, and the places reached in it. Only closed rounds have results here."""

from collections.abc import Iterable

from tournaments.bracket import Bracket, build_bracket
from tournaments.models import Round
from tournaments.pairing.systems import get_system
from tournaments.regulations import Regulations
from tournaments.services.scores.competition import load_competition, number_of


def has_bracket(regulations: Regulations) -> bool:
    """Return whether the rounds are drawn by a bracket."""
    return "bracket" in get_system(regulations.pairing_system).abilities


def load_bracket(rounds: Iterable[Round], regulations: Regulations) -> Bracket | None:
    """Load the bracket after those of these rounds that are drawn; None before the first one is.

    The number of queries is constant.
    """
    drawn = [round_ for round_ in rounds if round_.status != Round.Status.PLANNED]
    if not drawn:
        return None
    competition, _entries = load_competition(drawn[0].championship_id, drawn, regulations)
    return build_bracket(competition)


def load_places(rounds: Iterable[Round], regulations: Regulations) -> tuple[tuple[int, int], ...]:
    """Load (number of the entrant, place) in the bracket after the closed rounds; empty without one."""
    closed = [round_ for round_ in rounds if round_.status == Round.Status.CLOSED]
    bracket = load_bracket(closed, regulations) if has_bracket(regulations) else None
    places = {} if bracket is None else bracket.places
    return tuple(sorted((number_of(ref), place) for ref, place in places.items()))
