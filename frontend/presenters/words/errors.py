"""Sentences for errors of engine and games, keyed by stable code; a `TournamentError` carries its own.
`{name}` in a sentence is replaced by the parameter of that name.

A code without a sentence of its own (`predict/not_now`) uses the sentence of its last part. Without that, an
English page shows the server's detail. Other pages, or without a detail, show a general sentence.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

ERRORS: Final[dict[str, str | Promise]] = {
    "unknown": _("Something went wrong. Please try again."),
    "rounds/seed_public": _(
        "The seed of this round is public: no more cards are dealt from it. Undo the draw and draw "
        "again, or close the round."
    ),
    "prizes/nothing": _("Line {line}: write an amount or a thing."),
    "prizes/twice": _("Line {line}: this already has a prize."),
    "prizes/category": _("Line {line}: “the best of a category” needs a category, and nothing else has one."),
    "prizes/unreadable": _("These prizes cannot be read."),
    "play/not_your_turn": _("It is not your turn."),
    "play/illegal_card": _("This card may not be played now."),
    "play/not_in_hand": _("This card is not in the hand."),
    "play/card_played_already": _("This card has been played already."),
    "play/cards_moved": _(
        "Cards have changed hands: first enter which. Cards that nobody saw may be unknown."
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
    "predict/out_of_bounds": _("A prediction must be 0 to {highest}."),
    "take_turned/not_yet": _("The turned card is taken after one's own exchange."),
    "take_turned/no_six": _("The six of trumps is not in the hand."),
    "claim_out/not_now": _("A claim can be made from the first deal to the end of the game."),
    "claim_out/automatic": _("The game ends automatically when the target is reached."),
    "stop/not_certain": _("Only a player who is certain to win the deal may stop it."),
    "stoeck/choose": _("Choose whether the Stöck is added or deducted."),
    "melds/not_held": _("This meld is not in the hand."),
    "melds/too_late": _("Melds are declared with the first card of the deal."),
    "melds/not_played": _("No melds are declared in this game."),
    "melds/not_seen": _("Melds are declared with their cards."),
    "show/not_declared": _("Nothing was declared that could be shown."),
    "declare/one_thing": _("Either melds are declared, or the Stöck."),
    "choose/contract_missing": _("The contract must be named."),
    "pass/was_played": _("Somebody won this auction: the deal was played."),
    "choose/known_already": _("This, or something else, has already been recorded."),
    "melds/no_meld": _("These cards are not a meld."),
    "melds/overlap": _("A card may be in one sequence only."),
    "stoeck/not_played": _("No Stöck is declared in this game."),
    "stoeck/not_second_card": _("The Stöck is declared with its second card."),
    "stoeck/declared_already": _("The Stöck has been declared already."),
    "sheet/wrong_sum": _("The sum of deal {deal} is {sum}, it must be {expected}."),
    "sheet/scores_missing": _("Deal {deal}: enter the score of the deal."),
    "sheet/wrong_scores": _("Deal {deal}: the score of the deal does not follow from its points."),
    "sheet/melds_of_one_side": _("Deal {deal}: only one side scores melds."),
    "sheet/sweep_unsaid": _(
        "Deal {deal}: one side has all points. Was it a sweep, or did the others take a trick?"
    ),
    "sheet/sweep_and_trick": _("Deal {deal}: a sweep and a trick of the others exclude each other."),
    "sheet/wrong_total": _("Together it is {sum}, it must be {expected} (difference {difference})."),
    "sheet/both_sides": _("Sweeps, Stöck or melds count here: type the points of each side."),
    "sheet/impossible_points": _(
        "Deal {deal}: no cards count {number}. It must be 0 to {most}, and not every number is possible."
    ),
    "sheet/no_such_melds": _("Deal {deal}: no melds count {number} together."),
    "sheet/first_missing": _("Deal {deal} takes both to their targets: who reached theirs first?"),
    "sheet/not_first": _("This side was not the first to reach its target."),
    "sheet/sweeps_unsaid": _("One side has no points: how many sweeps were there? 0 if none."),
    "sheet/too_many": _("There are more sweeps or Stöck than deals."),
    "sheet/points_missing": _("With its sweeps and Stöck a side must have at least {least} points."),
    "sheet/no_card_points": _("This table reports totals, not single deals."),
    "sheet/not_confirmed_so": _("These regulations confirm results in another way."),
    "sheet/typed_again": _("Type both numbers a second time."),
    "sheet/typed_otherwise": _("First {first} was typed, now {second}. Check the paper again."),
    "sheet/own_side": _("The other side must confirm."),
    "sheet/nothing_to_confirm": _("There is nothing to confirm for this deal."),
    "close/over": _("The game is over."),
    "rule/first_missing": _("Deal {deal} takes both to their targets: who reached theirs first?"),
    "rule/not_first": _("This side was not the first to reach its target."),
    "rule/deals_unknown": _("Totals have no single deals: change the points of the table."),
    "take_back/not_here": _("This can no longer be undone."),
    "take_back/not_transcribed": _("Only hand-written entries can be undone."),
    "what_if/no_card": _("No card of this deal is played after this moment."),
    "what_if/hands_unknown": _("Not every hand of this deal is visible."),
    "what_if/contract_unknown": _("The trumps of this deal are unknown."),
    "what_if/too_long": _("A deal does not have so many cards."),
    "what_if/too_often": _("Bots are busy just now. Try again in {seconds} s."),
    "access/no_role": _("You have no part in this game."),
    "access/unknown_credentials": _("These credentials are not known here."),
    "access/not_your_seat": _("This is not your seat."),
    "access/not_the_scorer": _("Only the scorer can do that."),
    "access/not_the_desk": _("Only the desk writes for a table without sitting there."),
    "access/signs_for_nobody": _("The desk signs for nobody at the table."),
    "access/wrong_role": _("You may not do this."),
    "access/own_table": _("Nobody rules on their own game."),
    "access/has_looked": _(
        "You have opened the hidden cards of this deal: you can get the seat only in the next deal."
    ),
    "access/bad_token": _(
        "This code is not valid, or no longer. Compare each letter; the desk gives you a new one."
    ),
    "entries/too_many_by_link": _(
        "Too many people have just entered with this link. Try again in {minutes} min."
    ),
    "entries/too_many_changes": _("Many changes were made with this link. Wait {minutes} min."),
    "files/too_many": _("Many files are being read just now. Try again in {seconds} s."),
    "prints/too_often": _("Many sheets were printed just now. Try again in {seconds} s."),
    "notices/too_often": _("Too many phones asked just now. Try again in {minutes} min."),
    "notices/malformed": _("This browser sent no address. Open the page again, and try once more."),
    "guests/disk_low": _("No new tables against bots are possible just now. Try again later."),
    "guests/no_such_game": _("There is no such game."),
    "guests/has_a_seat": _(
        "On this device you have a seat in a championship. Play against bots in another browser."
    ),
    "guests/no_tips": _("Tips are given only at tables against bots, which do not count."),
    "guests/too_many_tables": _("Too many tables were opened just now. Try again in {minutes} min."),
    "games/unknown_game": _("There is no such game."),
    "games/unknown_parameter": _("This address takes no such parameter."),
    "sharing/not_public": _("This page is not public."),
    "sharing/not_yet": _("This moment is not shown yet."),
    "sharing/foreign_address": _("This address is not part of this page."),
    "sharing/only_json": _("This address returns JSON only."),
    "games/stale_seq": _("The game has moved on. Check it and try again."),
    "games/command_id_reused": _("This was already sent with different content."),
    "games/too_large": _("That is too much at once."),
    "http/throttled": _("Too many requests. Please wait a moment."),
    "sheet/confirmed_already": _(
        "This deal is confirmed: its result is changed by a correction, with a reason."
    ),
    "sheet/entered_already": _("This deal is already on the sheet: correct it there."),
    "sheet/changed_since": _("Deal {deal} has been changed in the meantime. Check it as it is now."),
    "sheet/ruled": _(
        "The referee has decided on deal {deal}: it needs no confirmation and is not changed here."
    ),
    "sheet/conceded_and_played": _(
        "Deal {deal}: a deal given away counts {points} for the others, or {with_stoeck} with the Stöck."
    ),
    "sheet/melds_impossible": _("Deal {deal}: no melds make {number}. {below} or {above} are possible."),
    "rule/no_sheet": _("Only a result on a sheet can be upheld by a ruling."),
    "sheet/wrong_deal": _("Deal {expected} comes next."),
    "sheet/nothing_entered": _("This deal is not on the sheet yet: enter it first."),
    "sheet/out_of_bounds": _("Deal {deal}: a number is too small or too large."),
    "sheet/not_certain": _(
        "The sum of deal {deal} is {sum} instead of {expected}: a deal ends before its last card "
        "only if the bid is made, or can no longer be made."
    ),
    "sheet/wrong_sides": _("Deal {deal}: enter a number for each side."),
    "sheet/sweep_needs_all_points": _("Deal {deal}: a sweep takes all points, and the others have none."),
    "sheet/no_trumps": _("Deal {deal}: without trumps there is no Stöck."),
    "sheet/stoeck_points_missing": _("Deal {deal}: choose whether the Stöck is added or deducted."),
    "sheet/own_points_missing": _("Deal {deal}: the points of the player who chose are needed."),
    "sheet/contract_missing": _("Deal {deal}: choose the trumps."),
    "sheet/contract_not_offered": _("This cannot be named in this game."),
    "sheet/slot_missing": _("Deal {deal}: choose the slot."),
    "sheet/slot_not_offered": _("This game does not have this slot."),
    "sheet/slot_played": _("This side has already played this slot: choose another one."),
    "sheet/predictions_missing": _("Deal {deal}: each player’s prediction is needed."),
    "sheet/no_stoeck": _("No Stöck is declared in this game."),
    "sheet/no_melds": _("No melds are declared in this game."),
    "sheet/no_such_side": _("There is no such side at this table."),
    "predict/made": _("This prediction has already been made."),
    "predict/points_missing": _("Enter the number of points."),
    "bid/not_over": _("The auction is not over yet."),
    "choose/no_slots": _("This game has no slots."),
    "claim_out/no_target": _("This game has no target."),
    "concede/stoeck_seen": _("The hands show who holds the Stöck: it need not be declared."),
    "stoeck/no_choice": _("Here the Stöck always counts for its holder."),
    "resume/not_closed": _("This table is not ended early: there is nothing to resume."),
    "swisslos/too_many_cards": _("Too many cards."),
    "swisslos/wrong_result": _("The entered points differ from those of the cards."),
    "deal/wrong_dealer": _("It is somebody else’s turn to deal."),
    "deal/cut_missing": _("Enter the card that was cut."),
    "deal/no_cut": _("No card is cut in this game."),
    "deal/wrong_deck": _("A pack has 36 different cards."),
    "deal/deck_missing": _("A pack has 36 different cards."),
    "games/nothing_to_do": _("There is nothing to do here at the moment."),
    "games/no_preview": _("This table has no score sheet."),
    "live/too_many_sockets": _("Too many pages of this table are open: close some of them."),
    "live/try_again": _("There are very many requests at the moment. Try again in a few seconds."),
    "access/session_changed": _("Somebody else has this seat now. Load the page again."),
    "access/server_only": _("The platform does that automatically."),
}

OF_PAGES: Final = frozenset(
    {"entries", "guests", "notices", "prints", "prizes", "rounds", "sharing", "swisslos", "what_if"}
)
"""Prefixes of codes that pages show and scripts do not."""
OF_FORMS: Final[dict[str, str | Promise]] = {
    "jobs/crashed": _(
        "An error has stopped it. Try again; if it happens again, tell the operators of this platform."
    ),
    "pairing/contradiction": _(
        "The wishes contradict each other: two people who always play together are also kept apart."
    ),
    "pairing/fixed_pairs": _("Partners are fixed here, but somebody has none or two: check the pairs first."),
    "pairing/no_design": _(
        "There is no such plan for this number of people: draw partners by lot, or play with "
        "more or fewer people."
    ),
    "pairing/entrants": _("This kind of draw is for other entrants: single people, pairs, or teams."),
    "pairing/entrant_twice": _("Somebody was entered twice."),
    "pairing/person_twice": _("Somebody was entered twice."),
    "pairing/options": _("The draw cannot be made with these choices."),
    "pairing/points": _("A table of an earlier round lacks a number for a seat."),
    "pairing/unknown_system": _("This kind of draw is unknown."),
    "pairing/unreadable": _("The document of the draw cannot be read."),
    "pairing/players": _("There are too few people here for a table."),
    "pairing/table_size": _("A table of this game cannot have this number of people."),
    "pairing/threes": _("This number of people does not fit tables of three and four."),
    "pairing/unknown_format": _("Tables cannot be drawn in this way."),
    "pairing/unknown_player": _("A person in the draw is not here."),
    "pairing/rounds": _("This number of rounds cannot be drawn."),
    "rounds/entropy_length": _("Enter numbers, and not too many: 4, 17, 23."),
    "rounds/no_seed": _("This round has no sealed number yet."),
    "rounds/seed_committed": _("The sealed number of this round is already fixed."),
    "rounds/still_playing": _("Some tables are still playing: enter their results first, or end them."),
    "rounds/too_late_for_entropy": _("The cards are already fixed."),
    "series/cycle": _("An event cannot qualify for itself."),
    "series/direction": _(
        "The most points win in one event and the fewest in another: count places instead."
    ),
    "series/event_twice": _("An event is named twice."),
    "series/percent": _("Per cent cannot be counted here: the mean of an event is 0."),
    "series/person_twice": _("Somebody is listed twice in one event."),
    "series/steps": _("The steps of the qualification are not possible."),
    "series/team_size": _("A team has more members than the rules allow."),
    "series/unknown_event": _("A named event does not exist."),
    "series/unknown_rule": _("A rule of the series is unknown."),
    "series/unreadable": _("The document of the series cannot be read."),
    "standings/credit": _("The value of a round without a table cannot be read."),
    "standings/scale": _("The scale of victory points is not possible."),
    "standings/number": _(
        "This way of scoring is not possible: fewer rounds must be dropped than are played."
    ),
    "standings/sealed": _("The sealed number needs a smaller and a larger bound."),
    "standings/team_best": _("The number of members that count is larger than the team."),
    "standings/sides": _("Matches need two sides at a table. Choose another way of counting, or partners."),
    "standings/wins": _("A match is won by points: count the tables' points, or the sum."),
    "standings/tie_breaks": _("A tie-break rule is named twice, or is unknown."),
    "standings/unknown_counting": _("This way of scoring is unknown."),
    "rule/no_such_trick": _("This trick has not been played in that deal."),
    "rule/no_deal_running": _("This is possible only while the deal is being played."),
    "rule/deal_not_scored": _("The deal has no score yet."),
    "rule/wrong_sides": _("Each side needs a score."),
    "rule/sides_unknown": _("The auction is not over: nobody knows yet who plays against whom."),
    "rule/tricks_unknown": _("A score sheet has no tricks: set the score by hand."),
    "rule/cards_unknown": _("Not all cards of that trick are known."),
    "rule/points_not_positive": _("A penalty deducts points: enter a number above zero."),
    "rule/wrong_side": _("Choose the other side, not that of the player concerned."),
    "rule/nothing_to_replace": _("The ruling has already been replaced."),
    "start/bad_options": _("One of the options of the game has a value that is not possible."),
    "start/bad_options/deals": _(
        "Everybody must deal equally often: enter a multiple of the number of people at a table."
    ),
    "start/bad_options/multipliers": _("Every contract needs its factor."),
    "start/bad_options/contracts": _("A contract is named twice."),
    "start/bad_options/dealer_incentive": _("The reward for the dealer needs open predictions."),
    "start/no_end": _("The game needs an end: points to win or a number of deals."),
    "start/no_totals": _("With these options, results of this game must be entered deal by deal."),
    "start/no_such_side": _("There is no such side at this table."),
    "start/unknown_preset": _("These rules of the game are unknown."),
    "start/unknown_variant": _("This game is unknown."),
    "start/wrong_seats": _("A table of this game cannot have this number of people."),
}
"""Sentences that scripts of tables do not load, because only other pages show them."""

ENDINGS: Final[dict[str, str | Promise]] = {
    "not_now": _("This is not possible now."),
    "not_your_turn": _("It is not your turn."),
    "no_such_seat": _("There is no such seat."),
    "no_such_deal": _("This deal has not been played at this table."),
    "card_missing": _("A card must be named."),
    "not_in_hand": _("This card is not in the hand."),
    "wrong_number": _("The number of cards is wrong."),
    "malformed": _("This could not be read. Load the page again and try once more."),
    "bad_parameter": _("This could not be read. Load the page again and try once more."),
    "no_such_seq": _("The game has not come that far."),
    "unknown": _("This could not be read. Load the page again and try once more."),
    "unknown_observer": _("There is no such seat."),
    "wrong": _("This could not be read. Load the page again and try once more."),
    "not_a_ruling": _("A referee cannot make this ruling."),
}
NOT_POSSIBLE: Final = _("This is not possible. Load the page again and try once more.")


def error_text(code: str, detail: str, params: Mapping[str, object] | None = None) -> str:
    """Return the sentence for a code, with `params` filled in. Without a sentence, return `detail` on an
    English page; in other languages, or if it is empty, a general sentence.
    """
    values = params or {}
    sentence = sentence_for(code, str(values.get("reason", "")))
    if sentence is None:
        return detail if detail and (get_language() or "en").startswith("en") else gettext(str(NOT_POSSIBLE))
    text = str(sentence)
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def stored_error_text(code: str, params: Mapping[str, Any]) -> str:
    """Return the sentence of a refusal stored by `describe_for_storage`, in the language of the page. Earlier
    versions stored the message id as `sentence`.
    """
    sentences = params.get("sentences") or {}
    if found := sentences.get((get_language() or "en").partition("-")[0]):
        return str(found)
    if earlier := params.get("sentence"):
        return gettext(str(earlier)) % params
    return error_text(code, str(params.get("detail", "")), params)


def sentence_for(code: str, reason: str = "") -> str | Promise | None:
    """Return the sentence of `code/reason`, else that of the code, else that of the part after the last slash
    of the code; None if all of these have no sentence.
    """
    for key in (f"{code}/{reason}", code):
        if key in ERRORS or key in OF_FORMS:
            return ERRORS.get(key) or OF_FORMS[key]
    return ENDINGS.get(code.rpartition("/")[2])
