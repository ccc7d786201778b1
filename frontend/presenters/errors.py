"""What people read when something is refused: stable code → sentence. `{name}` is filled in from the params.

A code without a sentence here is shown with the detail the server gave, in English.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

ERRORS: dict[str, str | Promise] = {
    "unknown": _("Something went wrong. Please try again."),
    "rounds/seed_public": _(
        "The seed of this round is public: nothing is dealt from it any more. "
        "Undo the draw and draw again, or close the round."
    ),
    "play/not_your_turn": _("It is not your turn."),
    "play/illegal_card": _("This card may not be played now."),
    "play/not_in_hand": _("This card is not in the hand."),
    "play/card_played_already": _("This card has been played already."),
    "play/cards_moved": _(
        "Cards have changed hands: say first which. Those that nobody saw may be unknown cards."
    ),
    "play/played_already": _("This seat has already played to the trick."),
    "play/card_missing": _("A card must be named."),
    "choose/not_your_turn": _("It is not your turn to name trumps."),
    "choose/contract_not_offered": _("This cannot be named in this game."),
    "push/not_your_turn": _("It is not your turn."),
    "push/must_choose": _("It was pushed to you: you must name trumps."),
    "choose/slot_played": _("This has been played already."),
    "choose/wrong_slot": _("This cannot be played here."),
    "bid/not_your_turn": _("It is not your turn to bid."),
    "bid/out_of_bounds": _("A bid must be at least {least}."),
    "bid/wrong_step": _("Bids go in steps of {step}."),
    "discard/wrong_number": _("Choose {count} different cards."),
    "exchange/wrong_number": _("Choose {count} different cards."),
    "predict/not_your_turn": _("It is not your turn to predict."),
    "predict/out_of_bounds": _("A prediction is 0 to {highest}."),
    "take_turned/not_yet": _("The turned card is taken after one's own exchange."),
    "take_turned/no_six": _("The six of trumps is not in the hand."),
    "claim_out/not_now": _("A claim can be made from the first deal to the end of the game."),
    "claim_out/automatic": _("The game ends by itself when the target is reached."),
    "stop/not_certain": _("Only who is certain to win the deal may stop it."),
    "stoeck/choose": _("Say whether the Stöck is added or taken off."),
    "melds/not_held": _("This meld is not in the hand."),
    "melds/too_late": _("Melds are declared with the first card of the deal."),
    "melds/not_played": _("No melds are declared in this game."),
    "melds/not_seen": _("Melds are declared with their cards."),
    "show/not_declared": _("Nothing was declared that could be shown."),
    "declare/one_thing": _("Either melds are declared, or the Stöck."),
    "choose/contract_missing": _("The contract must be named."),
    "pass/was_played": _("Somebody won this auction: the deal was played."),
    "choose/known_already": _("This is written down already, or something else is."),
    "melds/no_meld": _("These cards are no meld."),
    "melds/overlap": _("A card may be in one sequence only."),
    "stoeck/not_played": _("No Stöck is declared in this game."),
    "stoeck/not_second_card": _("The Stöck is declared with its second card."),
    "stoeck/declared_already": _("The Stöck has been declared already."),
    "sheet/wrong_sum": _("The sum of deal {deal} is {sum}, it must be {expected}."),
    "sheet/scores_missing": _("Deal {deal}: what the deal counts must be written."),
    "sheet/wrong_scores": _("Deal {deal}: what the deal counts does not follow from its points."),
    "sheet/melds_of_one_side": _("Deal {deal}: only one side scores melds."),
    "sheet/own_side": _("The other side has to confirm."),
    "sheet/nothing_to_confirm": _("There is nothing to confirm for this deal."),
    "close/over": _("The game is over."),
    "take_back/not_here": _("This cannot be taken back any more."),
    "take_back/not_transcribed": _("Only what was written down by hand can be taken back."),
    "what_if/no_card": _("No card of this deal is played after this moment."),
    "what_if/hands_unknown": _("Not every hand of this deal is to be seen."),
    "what_if/contract_unknown": _("It is not known what was trumps in this deal."),
    "what_if/too_long": _("A deal has not so many cards."),
    "access/no_role": _("You have no part in this game."),
    "access/not_your_seat": _("This is not your seat."),
    "access/not_the_scorer": _("Only the scorer can do that."),
    "access/wrong_role": _("This is not yours to do."),
    "access/own_table": _("Nobody rules on their own game."),
    "access/bad_token": _(
        "This code is not valid, or no longer. Compare it letter by letter; the desk gives out a new one."
    ),
    "games/unknown_game": _("There is no such game."),
    "games/stale_seq": _("The game has moved on. Please look again."),
    "games/command_id_reused": _("This was sent before with another content."),
    "games/too_large": _("That is too much at once."),
    "http/throttled": _("Too many requests. Please wait a moment."),
}


def error_text(code: str, detail: str, params: Mapping[str, object] | None = None) -> str:
    """The sentence for people; `detail` where there is none."""
    sentence = ERRORS.get(code)
    if sentence is None:
        return detail or gettext("Something went wrong. Please try again.")
    text = str(sentence)
    for name, value in (params or {}).items():
        text = text.replace("{" + name + "}", str(value))
    return text
