"""What can be disputed, and what it costs where the regulations say nothing of it.

Source: incidents of the club manual and published regulations (rules.md §9). `needs`: the facts without which
a referee cannot rule on it; `on_paper`: whether it can happen at a table where the server deals.
"""

from typing import Final, NamedTuple

from engine.commands import RulingKind
from tournaments.regulations import Regulations, Remedy

OTHER: Final = "other"
BETWEEN_TWO: Final = 2


class Incident(NamedTuple):
    """One kind of incident: the ruling proposed for it, and where it can happen."""

    code: str
    ruling: RulingKind
    cards: bool = True
    """Whether it is about cards that fell; a score sheet cannot show it."""
    dealt: bool = False
    """Whether it can happen where the server deals and sees to the rules."""
    alone: RulingKind | None = None
    """The ruling proposed where more than two sides play, so that points have no other side to go to."""
    late: RulingKind | None = None
    """The ruling proposed where it is objected to after one's own first card; None: no matter."""


INCIDENTS: Final[tuple[Incident, ...]] = (
    Incident("revoke", "award_from_trick", alone="annul_deal"),
    Incident("undertrump", "award_from_trick", alone="annul_deal"),
    Incident("short_hand", "short_hand"),
    Incident("misdeal", "annul_deal"),
    Incident("wrong_dealer", "annul_deal", late="warning"),
    Incident("card_shown", "bar_suit"),
    Incident("no_cut", "warning"),
    Incident("late_call", "score_change"),
    Incident("wrong_claim", "score_change", dealt=True),
    Incident("hint", "warning", dealt=True),
    Incident("wrong_sum", "score_change", cards=False),
    Incident(OTHER, "warning", dealt=True),
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
"""What a transcript proves (the engine's code) → the incident that it is here. A card that was not in the
hand, or something said that the rules do not offer, is most often a slip of the pen: nothing is proposed.
"""
CALLS: Final[dict[str, str]] = {
    "meld_late": "melds",
    "meld_not_held": "melds",
    "stoeck_late": "stoeck",
    "stoeck_not_held": "stoeck",
}
"""Of those the calls → the kind of points that they would have brought."""
_BY_CODE: Final = {incident.code: incident for incident in INCIDENTS}


def incidents_at(mode: str) -> tuple[Incident, ...]:
    """The incidents that can be raised at a table of this mode (`dealt`, `transcribed`, `sheet`)."""
    if mode == "dealt":
        return tuple(incident for incident in INCIDENTS if incident.dealt)
    return INCIDENTS


def remedy_for(code: str, regulations: Regulations, *, late: bool = False) -> Remedy | None:
    """What the regulations foresee, else what the rules of the game do; None for an incident nobody knows.
    `late`: it was objected to after the objector's own first card.
    """
    incident = _BY_CODE.get(code)
    if incident is None:
        return None
    alone = incident.alone if regulations.sides() > BETWEEN_TWO else None
    foreseen = regulations.remedies.get(code, Remedy(ruling=alone or incident.ruling))
    if code == "wrong_sum" and regulations.wrong_sum != "refuse":
        return Remedy(ruling="score_change", article=foreseen.article)
    return Remedy(ruling=incident.late, article=foreseen.article) if late and incident.late else foreseen
