"""The championship of the club of Santiago: four rounds of eight simple deals, Stöck and sweeps counted.

Source: the club's manual. People draw chips with numbers; the two with even numbers are partners, and so are
the two with odd numbers. The four of a table draw cards for forehand each round. Forehand's partner waits
until forehand has named trumps or pushed. The pack must be cut, not knocked on; a server cannot check this.
The manual's headings are Spanish and unknown to other clubs: the remedies cite none, and the printed
regulations number their own articles.
"""

from tournaments.regulations import Byes, GameChoice, Regulations, Remedy
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="santiago",
    play=GameChoice(variant="schieber", preset="championship"),
    rounds=4,
    deals=8,
    draw="each_round",
    chairs="chips",
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "sweeps", "direct_encounter", "lot")),
    wrong_sum="refuse",
    remedies={
        "revoke": Remedy(ruling="award_from_trick"),
        "undertrump": Remedy(ruling="award_from_trick"),
        "short_hand": Remedy(ruling="short_hand"),
        "misdeal": Remedy(ruling="annul_deal"),
        "card_shown": Remedy(ruling="bar_suit"),
        "hint": Remedy(ruling="warning"),
        "no_cut": Remedy(ruling="warning"),
        "late_call": Remedy(ruling="score_change"),
    },
    visibility="played",
)
