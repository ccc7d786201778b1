"""The championship of the club of Santiago: four rounds of eight simple deals, Stöck and sweeps counted.

Source: the club's manual. Chips with numbers are drawn, even ones partner against odd ones; the four of a
table draw cards for forehand each round; the partner waits until forehand has named or pushed. The pack is
lifted, not knocked: nothing a server could check. Articles are called by the manual's own headings, whatever
the language of the page.
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
        "revoke": Remedy(ruling="award_from_trick", article="Instructivo: Anotación de los puntos"),
        "undertrump": Remedy(ruling="award_from_trick", article="Instructivo: El Jass"),
        "short_hand": Remedy(ruling="short_hand", article="Instructivo: Anotación de los puntos"),
        "misdeal": Remedy(ruling="annul_deal", article="Instructivo: Juego de naipes"),
        "card_shown": Remedy(ruling="bar_suit", article="Instructivo: El Jass"),
        "hint": Remedy(ruling="warning", article="Instructivo: Notas"),
        "no_cut": Remedy(ruling="warning", article="Instructivo: Juego de naipes"),
        "late_call": Remedy(ruling="score_change", article="Instructivo: Puntajes adicionales"),
    },
    visibility="played",
)
