"""The sentences that scripts of pages show: key → sentence in the request's language.

Scripts contain no text; `say()` in src/page.ts fills in `{name}`. A page gets only the sentences that its
script uses, because all sentences together are three times as large as those for spectators.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.queries.illegal_reasons import REASONS, Reason
from frontend.card_names import RANKS_OF_CARDS, STOECK_CARDS, SUIT_NAMES, SUITS_OF_CARDS
from frontend.presenters.words.contract_names import CONTRACT_NAMES
from frontend.presenters.words.errors import ENDINGS, ERRORS, NOT_POSSIBLE, OF_PAGES
from frontend.presenters.words.writing_words import SHEET, TRANSCRIBE, Words

TABLE: Words = {
    "nobody": _("nobody"),
    "desk": _("The desk"),
    "card.name": _("{rank} of {suit}"),
    "card.unknown": _("an unknown card"),
    **{f"contract.{contract}": name for contract, name in CONTRACT_NAMES.items()},
    "slot.joker7": _("Joker"),
    "slot.joker8": _("Joker"),
    "slot.slalom": _("Slalom"),
    "slot.guschti": _("Guschti"),
    "slot.unknown": _("Slot not known"),
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
    "table.predicts_has": _("says {goal}, has {points}"),
    "table.declarer_has": _("plays for {goal}, has {points}"),
    "table.sealed": _("has predicted"),
    "table.kept": _("kept the cards"),
    "table.exchanged": _("exchanged"),
    "table.put_away": _("put away: {count}"),
    "table.cards_before": _("Cards on the table before {name}"),
    "table.no_contract": _("No trumps yet"),
    "table.before": _("The table is getting ready"),
    "table.deal": _("Deal {deal}"),
    "table.deal_of": _("Deal {deal} of {deals}"),
    "table.tricks_done": _("Tricks: {tricks}"),
    "table.heap": _("{side}, tricks: {tricks}"),
    "table.heap_points": _("{side}, tricks: {tricks}, points of this deal: {points}"),
    "table.forehand": _("Forehand"),
    "table.pushed": _("pushed"),
    "table.stoeck": _("Stöck"),
    "table.melds": _("Meld {points}"),
    "table.acting": _("has the turn"),
    "table.partner": _("partner"),
    "table.opponent": _("opponent"),
    "table.cards_left": _("{cards} cards in hand"),
    "table.cards_left_extra": _("{cards} cards in hand, {extra} face down beside it"),
    "table.turn_of": _("{name} has the turn"),
    "slate.label": _("Slate of {side}: {points}. {marks}"),
    "slate.chalk": _("Hundreds {hundreds}, fifties {fifties}, twenties {twenties}, rest {rest}"),
    "slate.strokes": _("Strokes {count}"),
    "slate.sacks": _("zeros {count}, crossed off {crossed}"),
    "slate.apples": _("apples {count}"),
    "slate.winner": _("has won"),
    "slate.winners": _("have won"),
    "slate.pays": _("pays {amount}"),
    "slate.receives": _("receives {amount}"),
    "slate.even": _("pays nothing"),
    "slate.slot_now": _("being played"),
    "slate.slot_left": _("still open"),
    "slate.this_deal": _("In this deal so far: {points}"),
    "slate.this_deal_bid": _("In this deal so far: {points}, bid {bid}"),
    "slate.this_deal_predicted": _("In this deal so far: {points}, predicted {goal}"),
    "slate.tied": _("tied, to be paid later: {count}"),
    "slate.slots": _("What each side has played, and what is left"),
    "slate.slot": _("Slot"),
    "slate.predictions": _("Predictions and points"),
    "end.stopped": _("{name} has said enough."),
    "end.claimed": _("{name} claimed to be out, and was."),
    "end.claimed_wrongly": _("{name} claimed to be out, but was not: the game is lost."),
    "end.bid": _("The bid of {points} is reached."),
    "end.target": _("The target of {points} is reached."),
    "end.deals": _("All deals are played ({deals})."),
    "end.best": _("Deal {deal} had the most points: {scores}"),
    "end.apples": _("The third apple ends the game."),
    "end.strokes": _("{points} game points are enough to win."),
    "deals.none": _("No deal has been counted yet."),
    "deals.deal": _("Deal"),
    "deals.contract": _("Trump"),
    "deals.annulled": _("annulled"),
    "deals.in_cards": _("{points} in cards"),
    "deals.predicted": _("predicted {points}"),
    "deals.sweep": _("sweep {points}"),
    "connection.open": _("live"),
    "connection.watching": _("Watching: {count}"),
    "connection.connecting": _("connecting …"),
    "connection.slow": _("slow connection"),
    "connection.lost": _("connection lost, trying again"),
    "play.time_was_up": _("Your time was up: the first possible move was made for you."),
    "play.too_late": _("Too late: your time was up."),
    "table.time_was_up": _("The time of {name} was up."),
    "connection.kept": _("Saved: it is sent as soon as the connection is back."),
}
LOG: Words = {
    "log.game_started": _("The game begins."),
    "log.deal_started": _("Deal {deal}, dealt by {name}"),
    "log.pushed": _("{name} pushes."),
    "log.contract_set": _("{name} names {contract}."),
    "log.contract_slot": _("{name} plays {slot} with {contract}."),
    "log.contract_by_card": _("The contract is {contract}."),
    "log.talon_dealt": _("Face up in the talon: {cards}."),
    "log.talon_taken": _("{name} takes the talon."),
    "log.cards_discarded": _("{name} discards {count} cards."),
    "log.discards_counted": _("The discards of {name} count {points}."),
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
    "log.suit_barred": _("{name} may not lead {suit} with the next card."),
    "log.prediction_made": _("{name} predicts {points}."),
    "log.prediction_sealed": _("{name} has made a hidden prediction."),
    "log.predictions_revealed": _("The predictions were: {predictions}."),
    "log.payments": _("{name} {paid}."),
    "log.melds_declared": _("{name} declares melds: {points}."),
    "log.card_played": _("{name} plays {card}."),
    "log.stoeck_declared": _("{name} declares the Stöck: {points}."),
    "log.melds_shown": _("{name} lays melds on the table."),
    "log.melds_open": _("It is not yet decided whose melds count."),
    "log.melds_scored": _("{side} score {points} for melds."),
    "log.trick_taken": _("{name} takes the trick: {points} points."),
    "log.trick_taken_unknown": _("{name} takes the trick."),
    "log.deal_scored": _("Deal {deal}: {scores}. Total {totals}."),
    "log.between": pgettext_lazy("between the points of two sides", "–"),
    "log.deal_annulled": _("Deal {deal} is annulled."),
    "log.ruling_made": _("Ruling {number}: {reason}"),
    "log.ruling_about": _("Ruling {number} ({about}): {reason}"),
    "log.ruling_deal": _("deal {deal}"),
    "log.ruling_trick": _("trick {trick}"),
    "log.ruling_scores": _("The deal now counts {scores}."),
    "log.out_right": _("{name} claims to be out, and is right."),
    "log.out_wrong": _("{name} claims to be out, and is wrong."),
    "log.game_ended": _("The game is over: {totals}. Winners: {winners}."),
    "log.game_won": _("The game is over: {totals}. Winner: {winners}."),
    "log.game_closed": _("The game was finished early: {reason}"),
    "log.game_resumed": _("The game continues: {reason}"),
    "log.result_by_office": _("Deal {deal} is corrected by the officials: {scores}. {reason}"),
    "log.result_entered": _("{name} enters deal {deal}: {scores}."),
    "log.result_corrected": _("{name} corrects deal {deal}: {scores}."),
    "log.taken_back": _("The last entry is undone."),
    "log.result_confirmed": _("{side} confirm deal {deal}."),
    "log.totals_entered": _("{name} enters the totals of {deals} deals: {scores}."),
    "log.totals_corrected": _("{name} corrects the totals of {deals} deals: {scores}."),
    "log.confirmed_second_typing": _("Deal {deal} is confirmed: the desk typed the same figures again."),
    "log.confirmed_paper": _("Deal {deal} is confirmed by the signatures on paper."),
    "log.confirmed_silence": _("Deal {deal} is confirmed: nobody objected in time."),
    "infraction.revoke": _(
        "{name} revoked in trick {trick}: had the suit and played neither it nor a trump."
    ),
    "infraction.undertrump": _("{name} undertrumped in trick {trick} against the rule."),
    "infraction.not_in_hand": _("{name} played a card in trick {trick} that was not in the hand."),
    "infraction.out_of_turn": _("{name} acted out of turn in trick {trick}."),
    "infraction.meld_not_held": _("{name} declared a meld that was not there."),
    "infraction.stoeck_not_held": _("{name} declared the Stöck without holding it."),
    "infraction.meld_late": _("{name} declared a meld too late: it does not count."),
    "infraction.stoeck_late": _("{name} declared the Stöck too late: it does not count."),
    "infraction.wrong_dealer": _("{name} dealt although it was not their turn to deal."),
    "infraction.not_allowed": _("{name} said something that the rules do not allow."),
}
PLAY: Words = {
    "hand.playable": _("{card}, may be played"),
    "hand.taken_up": _("{card}, from the talon"),
    "choice.push": _("Push"),
    "play.your_turn": _("Your turn"),
    "choice.bid": _("Bid {points}"),
    "choice.bid_won": _("{name} won the auction with {points}"),
    "choice.your_bid": _("Your bid"),
    "choice.less": _("{points} less"),
    "choice.defer": _("Wait"),
    "choice.pass": _("Pass"),
    "choice.predict": _("Predict {points}"),
    "choice.predict_nothing_yet": _("Predict"),
    "choice.figures": _("Figures"),
    "choice.delete": _("Delete the last figure"),
    "choice.which": _("{slot}: with which contract?"),
    "choice.other_slot": _("Other"),
    "choice.discard": _("Discard {count} cards"),
    "choice.discard_note": _("Choose {count} cards to discard. Chosen: {picked}"),
    "choice.exchange": _("Exchange {count} cards"),
    "choice.exchange_note": _("Choose {count} cards to exchange, or keep your hand. Chosen: {picked}"),
    "choice.keep": _("Keep the hand"),
    "choice.take_turned": _("Take {card} if I have or get {six}"),
    "choice.accept": _("Play the deal"),
    "choice.concede": _("Give the deal away for {points}"),
    "choice.not_known": _("Not known"),
    "choice.pick_note": _("Tap {count} cards; “Unknown card” for each that nobody saw. Chosen: {picked}"),
    "choice.late_contract": _("Add the contract afterwards"),
    "choice.late_auction": _("Add the auction afterwards"),
    "choice.late_bidder": _("Who spoke?"),
    "choice.late_prediction": _("Add a prediction afterwards"),
    "choice.late_predictor": _("Who predicted?"),
    "choice.late_predicted": _("{name} predicted:"),
    "choice.late_trumps": _("Name the trumps"),
    "choice.late_slot": _("Add the slot afterwards"),
    "choice.late_who": _("Who named it?"),
    "choice.late_by": _("{name} named:"),
    "choice.late_not": _("Not now"),
    "choice.which_slot": _("{contract}: in which slot?"),
    "choice.skip": _("The rest is unknown: continue with the cards"),
    "choice.skip_note": _("Tap who led, then the card. The contract can be added afterwards."),
    "choice.skip_not": _("Back to the announcements"),
    "choice.sure": _("Really? {what}"),
    "choice.yes": _("Yes, {what}"),
    "choice.no": _("Back"),
    "predict.points": _("Points you will take"),
    "predict.too_high": _("{points} is too high: {highest} at most"),
    "predict.sum": _("Predicted so far: {sum}, left: {left}"),
    "predict.sealed": _("Nobody sees the predictions before the last card."),
    "beside.claim_out": _("Claim to be out"),
    "beside.stop": _("Enough: stop the deal"),
    "beside.take_turned": _("Take {card} for the six"),
    "beside.take_turned_unknown": _("Take the turned card for the six"),
    "turn.play": _("It is your turn: play a card."),
    "turn.choose": _("It is your turn: name trumps."),
    "turn.push": _("It is your turn: name trumps or push."),
    "turn.slot_choose": _("It is your turn: choose a slot."),
    "turn.slot_push": _("It is your turn: choose a slot or push."),
    "turn.bid": _("It is your turn: bid or pass."),
    "turn.discard": _("It is your turn: discard cards."),
    "turn.accept": _("It is your turn: play the deal, or give it away."),
    "turn.predict": _("It is your turn: say how many points you will take."),
    "turn.exchange": _("It is your turn: exchange or keep your cards."),
    "play.tip": _("Tip: {what}"),
    "play.no_tip": _("There is nothing to say yet: it is not your turn."),
    "play.allowed": _("Allowed: {cards}."),
    "play.ahead": _("{card}: played when it is your turn. Tap again to take it back."),
    "play.armed": _("{card}: tap again to play it."),
    "play.not_ahead": _("{card}: no longer chosen."),
    "play.declare_meld": _("Declare the meld of {points}"),
    "play.declare_stoeck": _("Declare the Stöck"),
    "play.stoeck_worth": _("Effect of the Stöck on the points"),
    "words.hand": pgettext_lazy("what one asks a table", "hand"),
    "words.trick": pgettext_lazy("what one asks a table", "trick"),
    "words.score": pgettext_lazy("what one asks a table", "score"),
    "words.last": pgettext_lazy("what one asks a table", "last"),
    "words.your_hand": _("Your hand: {cards}."),
    "words.open_own": _("Open before you: {cards}."),
    "words.open_before": _("Open before {name}: {cards}."),
    "words.legal": _("You may play: {cards}."),
    "words.offers": _("You may say: {names}."),
    "words.empty_trick": _("{contract}, trick {number}: no cards yet."),
    "words.the_trick": _("{contract}, trick {number}: {cards}."),
    "words.the_score": _("Deal {deal}, points of the game: {sides}."),
    "words.of_predicted": _("{points} of {goal} predicted"),
    "words.of_bid": _("{points} of {goal} bid"),
    "words.the_last": _("Last trick: {cards}. Taken by {name}."),
    "words.no_trick": _("No trick has been taken yet."),
    "words.not_looked_at": _("The rules of this table do not show the last trick again."),
    "words.which": _("Which one? {names}"),
    "words.unknown": _("Ask: hand, trick, score, last. Or name a card, or what you want to say."),
}
FORBIDDEN: Mapping[Reason, str | Promise] = {
    "follow_suit": _("You must follow suit: {suit}."),
    "follow_trump": _("Trumps are led: you must play one."),
    "undertrump": _("A lower trump is not allowed here."),
    "must_trump": _("You must play a trump."),
    "barred_suit": _("A referee has barred this suit from being led."),
    "not_your_turn": _("It is not your turn."),
    "not_now": _("This card cannot be played now."),
}
"""Sentences shown when a player presses a forbidden card. Frames and scripts identify the reason by its
position in `REASONS`, from 1.
"""
REPLAY: Words = {
    "timeline.gain": _("{name}: {best} instead of {card}, about {points} better (an estimate)"),
    "timeline.left": _("still to be won: {points}"),
    "timeline.won": _("{side} can no longer be caught"),
    "timeline.ahead": _("{side} ahead by {points}"),
    "timeline.ahead_here": _("{side} ahead by {points} with this deal"),
    "timeline.one_deal": _("one more deal"),
    "timeline.last_deal": _("the last deal"),
    "timeline.needs": _("still needed: {points}"),
    "timeline.before": _("Before the first deal"),
    "timeline.opening": _("Deal {deal}, before the first trick"),
    "timeline.place": _("Deal {deal}, trick {trick}"),
    "timeline.result": _("Deal {deal}, result"),
    "timeline.over": _("End of the game"),
    "timeline.deal": _("Go to deal {deal}"),
    "timeline.trick": _("Deal {deal}, trick {trick}: {name}, {points} points"),
    "timeline.trick_taken": _("Deal {deal}, trick {trick}: {name}"),
    "timeline.to_trick": _("Go to trick {trick}"),
    "replay.play": _("Play"),
    "replay.pause": _("Pause"),
    "replay.copied": _("The link was copied."),
    "replay.failed": _("The game could not be loaded."),
}


def _of_decks() -> dict[str, str | Promise]:
    pairs = {f"stoeck.{deck}": pair for deck, pair in STOECK_CARDS.items()}
    tables = {"suit": SUIT_NAMES, "card.suit": SUITS_OF_CARDS, "rank": RANKS_OF_CARDS}
    return pairs | {
        f"{kind}.{deck}.{letter}": name
        for kind, decks in tables.items()
        for deck, names in decks.items()
        for letter, name in names.items()
    }


CATALOGUE: Words = {
    **TABLE,
    **LOG,
    **PLAY,
    **SHEET,
    **TRANSCRIBE,
    **REPLAY,
    **{f"reason.{place}": FORBIDDEN[reason] for place, reason in enumerate(REASONS, 1)},
    **_of_decks(),
    **{f"error.{code}": text for code, text in ERRORS.items() if code.partition("/")[0] not in OF_PAGES},
    **{f"error.*/{ending}": text for ending, text in ENDINGS.items()},
    "error.not_possible": NOT_POSSIBLE,
}

"""The sentences of scripts, by key."""
SCRIPTS: Final = Path(__file__).parents[2] / "static" / "puur"
KEY: Final = re.compile(r'"([a-z_]+\.[\w*./-]+)"|`([a-z_]+\.[\w*./-]*)\$\{')
"""Pattern of a key in a built script, or of the prefix of keys that it computes:
`say(`suit.${deck}.${suit}`)`.
"""


def load_sentences(script: str) -> dict[str, str]:
    """Return key → sentence of a page's script, in the active language."""
    return {key: str(CATALOGUE[key]) for key in _keys_in_script(script)}


@cache
def load_script_parts() -> dict[str, list[str]]:
    """Return script → the parts that it imports, as `frontend/build.mjs` has written them."""
    found: dict[str, list[str]] = json.loads((SCRIPTS / "parts.json").read_text())
    return found


@cache
def _keys_in_script(script: str) -> tuple[str, ...]:
    """Return the catalogue's keys that a script or its parts contain, and all keys without a dot. Only the
    script `sheet` gets keys of `error.sheet/`.
    """
    built = "".join((SCRIPTS / f"{name}.js").read_text() for name in (script, *load_script_parts()[script]))
    keys = {key for key, _beginning in KEY.findall(built)}
    beginnings = tuple({beginning for _key, beginning in KEY.findall(built) if beginning})
    said = (key for key in CATALOGUE if "." not in key or key in keys or key.startswith(beginnings))
    return tuple(key for key in said if script == "sheet" or not key.startswith("error.sheet/"))
