"""The pairing systems by key."""

from typing import Any, Final

import msgspec

from tournaments.competition import Competition, CompetitionError
from tournaments.pairing.systems import (
    drawn,
    fixed_pairs,
    knock_out,
    ladder,
    open_heat,
    round_robin,
    swiss,
    whist,
)
from tournaments.pairing.systems.system import (
    DrawNote,
    Kind,
    NextRound,
    PairingSystem,
    count_repeats,
    kind_of,
)

SYSTEMS: Final[dict[str, PairingSystem]] = {
    module.SYSTEM.key: module.SYSTEM
    for module in (drawn, fixed_pairs, whist, round_robin, swiss, ladder, knock_out, open_heat)
}
DRAWN: Final = drawn.SYSTEM.key
"""Key of the system for championships whose regulations name no system."""


def get_system(key: str) -> PairingSystem:
    """Return a system by key. Raises CompetitionError `pairing/unknown_system`."""
    if key not in SYSTEMS:
        raise CompetitionError("pairing/unknown_system", f"there is no pairing system {key!r}", system=key)
    return SYSTEMS[key]


def check_choice(key: str, options: dict[str, Any], size: int, kind: Kind) -> None:
    """Raise CompetitionError `pairing/…` unless the system accepts these options, tables of this size, and
    entrants of this kind.
    """
    system = get_system(key)
    read_options(system, options)
    if size not in system.sizes:
        raise CompetitionError(
            "pairing/table_size",
            f"{system.key} is played at tables of {' or '.join(map(str, system.sizes))}",
            size=size,
        )
    if kind not in system.kinds:
        raise CompetitionError("pairing/entrants", f"{system.key} takes no {kind} as an entrant", kind=kind)


def draw_next(competition: Competition) -> NextRound | None:
    """Draw the next round; None when the competition is over.

    Raises CompetitionError and PairingError `pairing/…`, and StandingsError.
    """
    check_choice(competition.system, competition.options, competition.size, kind_of(competition.entrants))
    system = get_system(competition.system)
    if competition.ended and not system.abilities & {"bracket", "queue"}:  # these end by themselves
        return None
    found: NextRound | None = system.next_round(competition, read_options(system, competition.options))
    return found


def read_options(system: PairingSystem, data: dict[str, Any]) -> Any:
    """Read the options of a system. Raises CompetitionError `pairing/options`."""
    try:
        return msgspec.convert(data, system.options)
    except msgspec.ValidationError as error:
        raise CompetitionError("pairing/options", f"options of {system.key}: {error}") from None


def algorithm_of(key: str) -> str:
    """Return the name and version of a system's algorithm, as draws record it: "swiss/1"."""
    return f"{key}/{get_system(key).version}"


def repeats_of(competition: Competition, drawn_round: NextRound) -> dict[str, int]:
    """Count the pairs who are partners again (`partner`) and opponents again (`opponent`)."""
    partnered = get_system(competition.system).has_partners(competition)
    return count_repeats(competition, drawn_round.tables, partnered)


__all__ = [
    "DRAWN",
    "SYSTEMS",
    "DrawNote",
    "Kind",
    "NextRound",
    "PairingSystem",
    "algorithm_of",
    "check_choice",
    "draw_next",
    "get_system",
    "read_options",
    "repeats_of",
]
