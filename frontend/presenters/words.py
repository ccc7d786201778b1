"""The catalogue that scripts speak from: key → sentence in the language of the request.

Scripts hold no text of their own; `{name}` in a sentence is filled in by `say()` in src/page.ts.
A page gets all of it (about 2 kB compressed), so that a sentence may be used anywhere.
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
    "table.trick": _("Cards of this trick"),
    "table.by": _("named by {name}"),
    "table.by_pushed": _("pushed, named by {name}"),
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
    "table.turn_of": _("{name} has the turn"),
    "slate.label": _("Slate of {side}: {points} points"),
    "slate.this_deal": _("In this deal so far: {points}"),
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
    "play.your_card": _("It is your turn: play a card."),
    "play.your_choice": _("It is your turn: name trumps or push."),
    "play.declare_meld": _("Declare the meld of {points}"),
    "play.declare_stoeck": _("Declare the Stöck"),
    "play.clock": _("{seconds} s"),
    "reason.not_your_turn": _("It is not your turn."),
    "reason.follow_suit": _("You have to follow suit: {suit}."),
    "reason.undertrump": _("A lower trump is not allowed here."),
    "reason.not_now": _("This card cannot be played now."),
}
SHEET: Words = {
    "sheet.deal": _("Deal {deal}"),
    "sheet.deal_of": _("Deal {deal} of {deals}"),
    "sheet.correct": _("Correct deal {deal}"),
    "sheet.sum_right": _("Together {sum}: right"),
    "sheet.sum_wrong": _("Deal {deal}: together {sum}, it must be {expected}"),
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
