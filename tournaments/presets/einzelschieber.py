"""Einzelschieber as many Swiss clubs play it: four rounds of twelve deals, partners drawn each time.

The worst round is dropped; no bonus for a sweep, no Stöck. Source: published regulations (rules.md §2).
"""

from tournaments.regulations import Byes, Play, Regulations, Remedy
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="einzelschieber",
    play=Play(
        variant="schieber",
        preset="championship",
        options={"sweep_bonus": 0, "stoeck": False, "partner_waits": False},
    ),
    rounds=4,
    deals=12,
    draw="each_round",
    chairs="letters",
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(
        what="drop_worst",
        number=1,
        tie_breaks=("highest_round", "next_highest", "sweeps", "lot"),
    ),
    remedies={
        "revoke": Remedy(ruling="award_from_trick"),
        "undertrump": Remedy(ruling="award_from_trick"),
        "short_hand": Remedy(ruling="short_hand"),
        "misdeal": Remedy(ruling="annul_deal"),
        "hint": Remedy(ruling="warning"),
    },
)
