"""The rules of each game that a log does not contain."""

from __future__ import annotations

MELD_EVENTS = "melds_declared melds_shown melds_scored stoeck_declared"
VARIANTS = {
    "schieber": {
        "lots": "first_forehand",
        "lots_ever": True,
        "partners": True,
        "events": "pushed contract_set hand_taken_up out_claimed %s" % MELD_EVENTS,
        "counted": True,
        "score": "sum",
        "factors": "contract",
        "target": "both",
        "deals": "option",
        "all_counted": True,
    },
    "bieter": {
        "sides": 2,
        "events": """talon_dealt trump_turned bid_made bid_deferred bid_passed auction_won auction_failed
            talon_taken cards_discarded discards_counted contract_set deal_conceded deal_accepted %s"""
        % MELD_EVENTS,
        "counted": True,
        "turned": "last_or_talon",
        "score": "sum",
        "target": "bid",
    },
    "differenzler": {
        "events": "trump_turned contract_set prediction_made predictions_revealed stoeck_declared",
        "counted": True,
        "turned": "last_or_cut",
        "score": "predicted",
        "fewest": True,
        "deals": "option",
        "all_counted": True,
    },
    "coiffeur": {
        "partners": True,
        "events": "pushed contract_set %s" % MELD_EVENTS,
        "counted": True,
        "score": "chooser",
        "factors": "slot",
        "deals": "slots",
        "all_counted": True,
    },
    "la-pomme": {
        "lots": "always",
        "share": 12,
        "events": "extra_dealt trump_turned contract_set extra_exchanged extra_kept turned_taken",
        "turned": "next",
        "piles": (("hand", 0, 9), ("extra", 9, 12)),
        "score": "apples",
        "ends": "apples",
        "deal_points": "puur",
    },
    "plus-minus": {
        "lots": "always",
        "late_trumps": True,
        "events": "contract_set",
        "counted": True,
        "score": "sticks",
        "ends": "sticks",
        "all_counted": True,
    },
    "lake-constance": {
        "again_without_bid": True,
        "events": """table_dealt table_card_turned bid_made bid_passed auction_won auction_failed contract_set
            deal_stopped""",
        "piles": (("closed", 0, 6), ("open", 6, 12), ("hand", 12, 18)),
        "score": "bid",
        "ends": "tallies",
    },
}
"""The rules of each variant that its logs do not contain.

lots: forehand of the first deal is drawn from the seed, always or by an option; lots_ever: also before
FOREHAND_RULES_SINCE. sides: the number of sides; partners: two sides of four seats; otherwise each seat is a
side. events: types that occur only in some variants, where cards are recorded. share: cards of each seat,
otherwise all are dealt. piles: where the cards of a share lie. turned: which card is turned up.
again_without_bid: the same seat deals again. late_trumps: a card decides trumps. counted: a trick counts the
points of its cards. score: how a deal is scored (`DealScores.score_deal`); factors: the factors of a score;
fewest: the fewest points lead; target, deals, ends: the conditions that end a game; all_counted: the card
points of a deal add up to deal_points (157, or by the value of the Puur). For other variants only cards and
chance are verified, and the report says so.
"""


def find_variant(started):
    """Return the rules of a game's variant, or None if this program does not know it."""
    variant = started.get("variant")
    return VARIANTS.get(variant) if isinstance(variant, str) else None


FOREHAND_RULES_SINCE = "2026-11-24"
"""The date of the present forehand rules (dealing.md).

For seeds that were committed to before, the last seat dealt first in some games, and two players could change
chairs. The date of the commitment decides, because it is sealed before any card is known.
"""


def is_forehand_drawn(started):
    """Whether the forehand of the first deal is drawn from the seed."""
    lots = find_variant(started).get("lots")
    return lots == "always" or (lots is not None and started["options"][lots] == "drawn")
