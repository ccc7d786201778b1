"""Kinds of incidents that can be disputed, and the remedy that each proposes by default.

Source: incidents of the club manual and published regulations.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from engine import IllegalCommand
from engine.cards import SUIT_NAMES
from engine.commands import ClaimOut, RulingKind
from engine.registry import VARIANTS, compile_rules
from engine.rules import Rules
from tournaments.regulations import Regulations, Remedy

OTHER: Final = "other"
BETWEEN_TWO: Final = 2


def _has_trumps(rules: Rules) -> bool:
    """Return whether these rules allow a suit as trumps."""
    named = {name for phase in rules.phases for name in (*phase.contracts, *phase.card_contracts)}
    named |= {name for contracts in rules.play.slots.values() for name in contracts}
    return rules.play.names_trumps or not named or bool(named & set(SUIT_NAMES))


def _has_calls(rules: Rules) -> bool:
    """Return whether players can call melds or a Stöck under these rules."""
    return rules.play.melds or (rules.play.stoeck and _has_trumps(rules))


def _has_claims(rules: Rules) -> bool:
    """Return whether a player has to claim that their side has reached the target."""
    by_claim = rules.play.targets is not None and not rules.play.automatic
    return ClaimOut in rules.variant.anytime and by_claim


ON_PAPER: Final = ("transcribed", "sheet")
EVERYWHERE: Final = ("dealt", *ON_PAPER)


class Incident(NamedTuple):
    """One kind of incident. `ruling`: the ruling that it proposes by default."""

    code: str
    ruling: RulingKind
    modes: tuple[str, ...] = ON_PAPER
    """Modes of tables where the incident can happen. At dealt tables the server enforces the rules."""
    possible: Callable[[Rules], bool] = lambda rules: True
    """Whether the incident can happen in a game with these rules."""
    alone: RulingKind | None = None
    """Ruling proposed in a game of more than two sides, where points cannot go to one other side."""
    late: RulingKind | None = None
    """Ruling proposed if the objector had already played a card; None: `ruling`."""


INCIDENTS: Final[tuple[Incident, ...]] = (
    Incident("revoke", "award_from_trick", alone="annul_deal"),
    Incident("undertrump", "award_from_trick", possible=_has_trumps, alone="annul_deal"),
    Incident("short_hand", "short_hand"),
    Incident("misdeal", "annul_deal"),
    Incident("wrong_dealer", "annul_deal", late="warning"),
    Incident("card_shown", "bar_suit"),
    Incident("no_cut", "warning"),
    Incident("late_call", "score_change", possible=_has_calls),
    Incident("wrong_claim", "score_change", possible=_has_claims),
    Incident("hint", "warning", modes=EVERYWHERE),
    Incident("wrong_sum", "score_change", modes=("sheet",)),
    Incident(OTHER, "warning", modes=EVERYWHERE),
)
CODES: Final[tuple[str, ...]] = tuple(incident.code for incident in INCIDENTS)
OF_INFRACTION: Final[dict[str, str]] = {
    "revoke": "revoke",
    "undertrump": "undertrump",
    "wrong_dealer": "wrong_dealer",
    "out_of_turn": "card_shown",
    "meld_late": "late_call",
    "stoeck_late": "late_call",
    "meld_not_held": "late_call",
    "stoeck_not_held": "late_call",
}
"""Code of an incident, by the engine's code of an infraction that a transcript proves.

A card not in the hand, or an unavailable call, is most often an error in writing; it proposes no incident."""
CALLS: Final[dict[str, str]] = {
    "meld_late": "melds",
    "meld_not_held": "melds",
    "stoeck_late": "stoeck",
    "stoeck_not_held": "stoeck",
}
"""Kind of points that a wrong call would have scored, by the engine's code of the infraction."""
_BY_CODE: Final = {incident.code: incident for incident in INCIDENTS}


def game_incidents(variant: str, seats: int, options: Mapping[str, Any]) -> tuple[Incident, ...]:
    """List the incidents possible under the rules of a game, at tables of any mode.

    Returns all incidents if the engine does not know the game.
    """
    try:
        rules = compile_rules(variant, seats, "dealt", dict(options))
    except IllegalCommand:
        return INCIDENTS
    return tuple(incident for incident in INCIDENTS if incident.possible(rules))


def table_incidents(mode: str, variant: str, seats: int, options: Mapping[str, Any]) -> tuple[Incident, ...]:
    """List the incidents possible at a table of this mode (`dealt`, `transcribed`, `sheet`)."""
    return tuple(incident for incident in game_incidents(variant, seats, options) if mode in incident.modes)


def regulations_incidents(regulations: Regulations) -> tuple[Incident, ...]:
    """List the incidents possible in the game of these regulations."""
    play = regulations.play
    presets = VARIANTS[play.variant].presets if play.variant in VARIANTS else {}
    return game_incidents(
        play.variant, play.seats, {**presets.get(play.preset or "", {}), **regulations.options()}
    )


def remedy_for(code: str, regulations: Regulations, *, late: bool = False) -> Remedy | None:
    """Return the remedy for an incident: that of the regulations, otherwise the incident's default. None for
    an unknown incident.

    `late`: the objection came after the objector's own first card. If the incident has a ruling for late
    objections, it replaces the ruling. For a wrong sum the ruling is a change of score, unless the
    regulations refuse sheets with a wrong sum.
    """
    incident = _BY_CODE.get(code)
    if incident is None:
        return None
    alone = incident.alone if regulations.sides() > BETWEEN_TWO else None
    foreseen = regulations.remedies.get(code, Remedy(ruling=alone or incident.ruling))
    if code == "wrong_sum" and regulations.wrong_sum != "refuse":
        return Remedy(ruling="score_change", article=foreseen.article)
    return Remedy(ruling=incident.late, article=foreseen.article) if late and incident.late else foreseen
