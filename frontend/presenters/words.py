"""The catalogue that scripts speak from: key → sentence in the language of the request.

Scripts hold no text of their own; `{name}` in a sentence is filled in by `say()` in src/page.ts.
A page gets all of it (about 4 kB compressed), so that a sentence may be used anywhere.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from frontend.cards import RANK_NAMES, SUIT_NAMES
from frontend.presenters.errors import ERRORS

Words = Mapping[str, str | Promise]

TABLE: Words = {
    "nobody": _("nobody"),
    "card.name": _("{suit} {rank}"),
    "card.unknown": _("an unknown card"),
    "contract.none": _("open"),
    "contract.obenabe": _("Top-down"),
    "contract.undenufe": _("Bottom-up"),
    "contract.slalom-obenabe": _("Slalom, top-down first"),
    "contract.slalom-undenufe": _("Slalom, bottom-up first"),
    "contract.guschti-obenabe": _("Guschti, top-down first"),
    "contract.guschti-undenufe": _("Guschti, bottom-up first"),
    "slot.joker7": _("Joker"),
    "slot.joker8": _("Joker"),
    "slot.slalom": _("Slalom"),
    "slot.guschti": _("Guschti"),
    "side.declarer": _("Declarer"),
    "side.opponents": _("Opponents"),
    "table.trick": _("Cards of this trick"),
    "table.by": _("named by {name}"),
    "table.by_pushed": _("pushed, named by {name}"),
    "table.by_card": _("set by the first card that did not follow"),
    "table.by_turned": _("by the turned card, {card}"),
    "table.bid": _("bid of {points}"),
    "table.talon": _("Talon"),
    "table.turned": _("Turned card"),
    "table.declarer": _("plays for {points}"),
    "table.passed": _("passes"),
    "table.deferred": _("waits"),
    "table.predicts": _("says {points}"),
    "table.sealed": _("has predicted"),
    "table.kept": _("kept the cards"),
    "table.exchanged": _("exchanged"),
    "table.put_away": _("put away: {count}"),
    "table.cards_before": _("Cards on the table before {name}"),
    "table.no_contract": _("Nothing named yet"),
    "table.before": _("The table is getting ready"),
    "table.deal": _("Deal {deal}"),
    "table.deal_of": _("Deal {deal} of {deals}"),
    "table.tricks_done": _("Tricks: {tricks}"),
    "table.forehand": _("Forehand"),
    "table.pushed": _("pushed"),
    "table.stoeck": _("Stöck"),
    "table.melds": _("Meld {points}"),
    "table.acting": _("has the turn"),
    "table.cards_left": _("{cards} cards in hand"),
    "table.cards_left_extra": _("{cards} cards in hand, {extra} face down beside it"),
    "table.turn_of": _("{name} has the turn"),
    "slate.label": _("Slate of {side}: {points} points"),
    "slate.this_deal": _("In this deal so far: {points}"),
    "slate.this_deal_bid": _("In this deal so far: {points}, bid {bid}"),
    "slate.tied": _("tied, to be paid later: {count}"),
    "slate.slots": _("What each side has played, and what is left"),
    "slate.slot": _("Slot"),
    "slate.predictions": _("Predictions and points"),
    "deals.none": _("No deal has been counted yet."),
    "deals.deal": _("Deal"),
    "deals.contract": _("Trump"),
    "deals.annulled": _("annulled"),
    "connection.open": _("live"),
    "connection.connecting": _("connecting …"),
    "connection.lost": _("connection lost, trying again"),
}
LOG: Words = {
    "log.game_started": _("The game begins."),
    "log.deal_started": _("Deal {deal}, dealt by {name}"),
    "log.pushed": _("{name} pushes."),
    "log.contract_set": _("{name} names {contract}."),
    "log.contract_slot": _("{name} plays {slot} with {contract}."),
    "log.contract_by_card": _("It is played: {contract}."),
    "log.talon_dealt": _("Open in the talon: {cards}."),
    "log.talon_taken": _("{name} takes the talon."),
    "log.cards_discarded": _("{name} puts {count} cards away."),
    "log.discards_counted": _("What {name} put away counts {points}."),
    "log.trump_turned": _("Turned card: {card}."),
    "log.turned_taken": _("{name} takes {card} for {six}."),
    "log.extra_exchanged": _("{name} exchanges {count} cards."),
    "log.extra_kept": _("{name} keeps the hand."),
    "log.table_card_turned": _("{name} turns {card}."),
    "log.bid_made": _("{name} bids {points}."),
    "log.bid_deferred": _("{name} waits with the bid."),
    "log.bid_passed": _("{name} passes."),
    "log.auction_won": _("{name} plays for {points}."),
    "log.auction_failed": _("Nobody bids: the cards are dealt again."),
    "log.deal_conceded": _("{name} gives the deal away: {points} points to the other side."),
    "log.deal_accepted": _("{name} plays the deal."),
    "log.deal_stopped": _("{name} is certain to win the deal and stops it."),
    "log.suit_barred": _("{name} may not lead {suit} next."),
    "log.prediction_made": _("{name} predicts {points}."),
    "log.prediction_sealed": _("{name} has made a hidden prediction."),
    "log.predictions_revealed": _("The predictions were: {predictions}."),
    "log.payments": _("Payments, in parts of which {parts} make a unit: {payments}."),
    "log.melds_declared": _("{name} declares melds: {points}."),
    "log.card_played": _("{name} plays {card}."),
    "log.stoeck_declared": _("{name} declares the Stöck: {points}."),
    "log.melds_scored": _("{side} score {points} for melds."),
    "log.trick_taken": _("{name} takes the trick: {points} points."),
    "log.trick_taken_unknown": _("{name} takes the trick."),
    "log.deal_scored": _("Deal {deal} counts {scores}. Now {totals}."),
    "log.deal_annulled": _("Deal {deal} is annulled."),
    "log.ruling_made": _("Ruling {number}: {reason}"),
    "log.ruling_scores": _("The deal now counts {scores}."),
    "log.out_right": _("{name} claims to be out, and is right."),
    "log.out_wrong": _("{name} claims to be out, and is wrong."),
    "log.game_ended": _("The game is over: {totals}. Winners: {winners}."),
    "log.game_closed": _("The game was broken off: {reason}"),
    "log.result_entered": _("{name} enters deal {deal}: {scores}."),
    "log.result_corrected": _("{name} corrects deal {deal}: {scores}."),
    "log.result_confirmed": _("{side} confirm deal {deal}."),
    "infraction.revoke": _(
        "{name} revoked in trick {trick}: had the suit and played neither it nor a trump."
    ),
    "infraction.undertrump": _("{name} undertrumped in trick {trick} against the rule."),
    "infraction.not_in_hand": _("{name} played a card in trick {trick} that was not in the hand."),
    "infraction.out_of_turn": _("{name} played out of turn in trick {trick}."),
    "infraction.meld_not_held": _("{name} declared a meld that was not there."),
    "infraction.stoeck_not_held": _("{name} declared the Stöck without holding it."),
}
PLAY: Words = {
    "hand.playable": _("{card}, may be played"),
    "choice.push": _("Push"),
    "play.your_turn": _("Your turn"),
    "choice.bid": _("Bid {points}"),
    "choice.your_bid": _("Your bid"),
    "choice.less": _("{points} less"),
    "choice.defer": _("Wait"),
    "choice.pass": _("Pass"),
    "choice.predict": _("Predict {points}"),
    "choice.predict_nothing_yet": _("Predict"),
    "choice.figures": _("Figures"),
    "choice.delete": _("Delete the last figure"),
    "choice.which": _("{slot}: with which contract?"),
    "choice.other_slot": _("Another one"),
    "choice.discard": _("Put {count} cards away"),
    "choice.discard_note": _("Choose {count} cards to put away. Chosen: {picked}"),
    "choice.exchange": _("Exchange {count} cards"),
    "choice.exchange_note": _("Choose {count} cards to exchange, or keep your hand. Chosen: {picked}"),
    "choice.keep": _("Keep the hand"),
    "choice.take_turned": _("Take {card} if I have or get {six}"),
    "choice.accept": _("Play the deal"),
    "choice.concede": _("Give the deal away for {points}"),
    "choice.sure": _("Really? {what}"),
    "predict.points": _("Points you will take"),
    "predict.sum": _("Predicted so far: {sum}, left: {left}"),
    "predict.sealed": _("Nobody sees the predictions before the last card."),
    "beside.claim_out": _("Claim to be out"),
    "beside.stop": _("Enough: stop the deal"),
    "beside.take_turned": _("Take {card} for the six"),
    "turn.play": _("It is your turn: play a card."),
    "turn.choose": _("It is your turn: name trumps."),
    "turn.push": _("It is your turn: name trumps or push."),
    "turn.bid": _("It is your turn: bid or pass."),
    "turn.discard": _("It is your turn: put cards away."),
    "turn.accept": _("It is your turn: play the deal, or give it away."),
    "turn.predict": _("It is your turn: say how many points you will take."),
    "turn.exchange": _("It is your turn: exchange or keep your cards."),
    "play.declare_meld": _("Declare the meld of {points}"),
    "play.declare_stoeck": _("Declare the Stöck"),
    "play.stoeck_worth": _("What the Stöck does to the points"),
    "play.clock": _("{seconds} s"),
    "reason.not_your_turn": _("It is not your turn."),
    "reason.follow_suit": _("You have to follow suit: {suit}."),
    "reason.undertrump": _("A lower trump is not allowed here."),
    "reason.must_trump": _("You have to play a trump."),
    "reason.not_now": _("This card cannot be played now."),
}
SHEET: Words = {
    "sheet.deal": _("Deal {deal}"),
    "sheet.deal_of": _("Deal {deal} of {deals}"),
    "sheet.correct": _("Correct deal {deal}"),
    "sheet.sum_right": _("Together {sum}: right"),
    "sheet.sum_wrong": _("Deal {deal}: together {sum}, it must be {expected}"),
    "sheet.sum_too_high": _("Deal {deal}: together {sum}, at most {expected} are possible"),
    "sheet.melds": _("Melds"),
    "sheet.scores": _("Counts"),
    "sheet.confirm_as": _("{side}: confirm"),
    "sheet.change": _("Correct"),
    "sheet.sweep": pgettext_lazy("all tricks", "Sweep"),
    "sheet.stoeck": _("Stöck"),
    "sheet.confirmed": _("confirmed"),
    "sheet.to_confirm": _("to be confirmed"),
    "sheet.not_sent": _("not sent yet"),
    "sheet.waiting": _("No connection. Kept on this phone and sent later: {count}"),
}
TRANSCRIBE: Words = {
    "transcribe.pending": _("{name}: {card}"),
    "transcribe.who_is_forehand": _("Who is forehand in the first deal?"),
    "transcribe.deal_over": _("This deal is over."),
    "transcribe.next_deal": _("Begin deal {deal}"),
    "transcribe.need_turned": _("Which card was turned?"),
    "transcribe.need_talon": _("Which cards lie open in the talon? So far: {count}"),
    "transcribe.not_known": _("Not known"),
    "transcribe.need_cut": _("Which card was cut?"),
    "transcribe.need_deck": _("Tap all cards in the order they were dealt. So far: {count}"),
    "transcribe.over": _("The game is over."),
}
REPLAY: Words = {
    "replay.position": _("Moment {at} of {of} · deal {deal}, trick {trick}"),
    "replay.play": _("Play"),
    "replay.pause": _("Pause"),
    "replay.copied": _("The link was copied."),
    "replay.failed": _("The game could not be loaded."),
}


def _of_decks() -> dict[str, str | Promise]:
    suits = {
        f"suit.{deck}.{suit}": name for deck, names in SUIT_NAMES.items() for suit, name in names.items()
    }
    ranks = {
        f"rank.{deck}.{rank}": name for deck, names in RANK_NAMES.items() for rank, name in names.items()
    }
    return {**suits, **ranks}


CATALOGUE: Words = {
    **TABLE,
    **LOG,
    **PLAY,
    **SHEET,
    **TRANSCRIBE,
    **REPLAY,
    **_of_decks(),
    **{f"error.{code}": text for code, text in ERRORS.items()},
}


def catalogue() -> dict[str, str]:
    """All sentences in the active language."""
    return {key: str(text) for key, text in CATALOGUE.items()}
