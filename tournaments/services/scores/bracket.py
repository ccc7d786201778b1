"""The bracket of a championship after its closed rounds, and the places reached in it."""

from collections.abc import Iterable

from tournaments.bracket import Bracket, build_bracket
from tournaments.competition import Competition
from tournaments.models import Entry, Round
from tournaments.pairing.systems import get_system
from tournaments.regulations import Regulations
from tournaments.services.scores.competition import find_first_seed, load_competition, number_of


def has_bracket(regulations: Regulations) -> bool:
    """Return whether the rounds are drawn by a bracket."""
    return "bracket" in get_system(regulations.pairing_system).abilities


def load_bracket(
    rounds: Iterable[Round], regulations: Regulations
) -> tuple[Bracket, Competition, list[Entry]] | None:
    """Load the bracket after the closed ones of these rounds, its document, and the entries by person.

    None before the first round is closed. The number of queries is constant.
    """
    closed = [round_ for round_ in rounds if round_.status == Round.Status.CLOSED]
    if not closed:
        return None
    competition, entries = load_competition(
        closed[0].championship_id, closed, regulations, find_first_seed(closed) or ""
    )
    return build_bracket(competition), competition, entries


def load_places(rounds: Iterable[Round], regulations: Regulations) -> tuple[tuple[int, int], ...]:
    """Load (number of the entrant, place) in the bracket; empty without one."""
    found = load_bracket(rounds, regulations) if has_bracket(regulations) else None
    if found is None:
        return ()
    bracket, _competition, _entries = found
    return tuple(sorted((number_of(ref), place) for ref, place in bracket.places.items()))
