"""The pairing systems by key. Nothing outside this package and the presets knows the name of a system."""

from typing import Any, Final

import msgspec

from tournaments.competition import Competition, CompetitionError
from tournaments.pairing.systems import drawn, fixed_pairs, swiss
from tournaments.pairing.systems.system import NextRound, PairingSystem, count_repeats, kind_of

SYSTEMS: Final[dict[str, PairingSystem]] = {
    found.key: found for found in (drawn.SYSTEM, fixed_pairs.SYSTEM, swiss.SYSTEM)
}


def get_system(key: str) -> PairingSystem:
    """Return a system. Raises CompetitionError `pairing/unknown_system`."""
    if key not in SYSTEMS:
        raise CompetitionError("pairing/unknown_system", f"there is no pairing system {key!r}", system=key)
    return SYSTEMS[key]


def draw_next(competition: Competition) -> NextRound | None:
    """Draw the next round; None when the competition is over. Raises CompetitionError `pairing/…`."""
    system = get_system(competition.system)
    options = read_options(system, competition.options)
    if competition.size not in system.sizes:
        raise CompetitionError(
            "pairing/table_size",
            f"{system.key} is played at tables of {' or '.join(map(str, system.sizes))}",
            size=competition.size,
        )
    kind = kind_of(competition.entrants)
    if kind not in system.kinds:
        raise CompetitionError("pairing/entrants", f"{system.key} takes no {kind} as an entrant", kind=kind)
    if competition.ended:
        return None
    found: NextRound | None = system.next_round(competition, options)
    return found


def read_options(system: PairingSystem, data: dict[str, Any]) -> Any:
    """Read the options of a system. Raises CompetitionError `pairing/options`."""
    try:
        return msgspec.convert(data, system.options)
    except msgspec.ValidationError as error:
        raise CompetitionError("pairing/options", f"options of {system.key}: {error}") from None


def repeats_of(competition: Competition, drawn_round: NextRound) -> dict[str, int]:
    """Count the partners and opponents that meet again in a drawn round."""
    partnered = get_system(competition.system).has_partners(competition)
    return count_repeats(competition, drawn_round.tables, partnered)


__all__ = ["SYSTEMS", "NextRound", "PairingSystem", "draw_next", "get_system", "read_options", "repeats_of"]
