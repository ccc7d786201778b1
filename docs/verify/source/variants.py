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
"""What this program knows of games by name, because their logs do not contain it.

lots: first forehand is drawn from the seed, always or by an option; lots_ever: also before LOTS_SINCE. sides:
how many there are; partners: two of four seats; else each seat is one. events: those that come only in some
games, where cards are played. share:
cards each, else all are dealt. piles: where what lies in a share. turned: which card is shown.
again_without_bid: then the same seat deals. late_trumps: a card makes them. counted: a trick is worth its
cards. score: what a deal counts, by its cards and what counts beside them (`Book.score`); factors: what that
is multiplied by; fewest: the fewest points are ahead; target, deals, ends: what ends a game; all_counted: the
card points of a deal add up to deal_points (157, or by the value of the Puur). Of any other game cards and
chance are verified, and the report says that its scoring is not."""


def find_variant(started):
    """What is known of a game by name, or None."""
    variant = started.get("variant")
    return VARIANTS.get(variant) if isinstance(variant, str) else None


FOREHAND_RULES_SINCE = "2026-11-24"
"""Of seeds committed to before, the last seat dealt first in some games, and two could change chairs
(dealing.md). The commitment is sealed before anybody knows a card; a game is dated when they lie there."""


def is_forehand_drawn(started):
    """Whether who leads the first deal is drawn from the seed."""
    lots = find_variant(started).get("lots")
    return lots == "always" or (lots is not None and started["options"][lots] == "drawn")
