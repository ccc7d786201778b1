"""Games that are unknown to the platform, made of the existing phases."""

from dataclasses import replace
from typing import Final

from msgspec import Struct

from engine.contracts import CONTRACTS
from engine.phases.auction import auction
from engine.phases.contract_choice import contract_choice, declarer, never
from engine.phases.dealing import dealing
from engine.phases.laying_out import last_card
from engine.phases.trick_play import trick_play
from engine.rules import PARTNERS, Bids, Phase, TrickRules, Variant


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No options."""


HIGH: Final = Variant(
    key="eighth-high",
    label="Everyone for himself, trumps by the last card, most points",
    seats=(3, 4),
    options=Options,
    rules_version=1,
    phases=lambda options: (dealing(lay_out=last_card({})), trick_play()),
    play=lambda options: TrickRules(),
    deals=lambda options, sides: 4,
)
LOW: Final = Variant(
    key="eighth-low",
    label="The same, fewest points",
    seats=(3, 4),
    options=Options,
    rules_version=1,
    phases=HIGH.phases,
    play=HIGH.play,
    deals=HIGH.deals,
    score_direction=-1,
)
LOW_PARTNERS: Final = Variant(
    key="eighth-low-partners",
    label="Partners, forehand names or pushes, fewest points",
    seats=(4,),
    options=Options,
    rules_version=1,
    partnership=PARTNERS,
    phases=lambda options: (dealing(), contract_choice(CONTRACTS[:6]), trick_play()),
    play=HIGH.play,
    deals=HIGH.deals,
    score_direction=-1,
)


def _haggling() -> Phase:
    """The auction as a phase of an unknown kind."""
    known = auction(lambda state: state.won_in != state.deal, Bids(50, 10, 10), highest=150)
    return replace(
        known, kind="haggling", turn=lambda context: known.turn(context)._replace(phase="haggling")
    )


HAGGLED: Final = Variant(
    key="eighth-haggled",
    label="Partners, whoever haggles most names trumps",
    seats=(4,),
    options=Options,
    rules_version=1,
    partnership=PARTNERS,
    phases=lambda options: (
        dealing(),
        _haggling(),
        contract_choice(CONTRACTS[:6], declarer, never),
        trick_play(),
    ),
    play=HIGH.play,
    deals=HIGH.deals,
)
EIGHTH_GAMES: Final = (HIGH, LOW, LOW_PARTNERS)
