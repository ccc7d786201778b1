"""The known events and their fields."""

from __future__ import annotations

import re

EVENT_SCHEMAS = """
game
  game_started variant seats options mode sides rules_version won_before? written_scores?
    hand_in? confirmation? counting? sweeps?
  deal_started deal dealer place?
  hand_dealt seat size cards! face_down?
  hand_taken_up seat cards!
  talon_dealt open size closed!
  extra_dealt seat size cards!
  table_dealt seat open size closed!
  trump_turned card seat?
  pushed seat
  contract_set contract seat? slot?
  bid_made seat points
  bid_deferred seat
  bid_passed seat
  auction_won seat points
  auction_failed
  talon_taken seat cards!
  cards_discarded seat size cards!
  deal_conceded seat points
  deal_accepted seat
  discards_counted seat points
  prediction_made seat points! sealed?
  predictions_revealed points
  extra_exchanged seat size given! taken!
  extra_kept seat
  turned_taken seat six card
  melds_declared seat declared melds! counts? apart?
  melds_shown seat melds
  card_played seat card
  stoeck_declared seat points counts? apart?
  melds_scored side points shown
  trick_taken seat points
  table_card_turned seat card
  infraction_found seat trick code at_seq proof_seq?
  out_claimed seat right
  deal_stopped seat
  deal_scored deal card_points scores totals ties?
  game_ended winners totals payments?
  ruling_made ruling kind reason scores totals scores_before? totals_before? deal? trick? against? replaces?
    article? points? choice? suit? to? ties? winners? stands? rescored? after? first?
    first_deal?
  deal_annulled deal
  suit_barred seat suit
  game_closed reason
  game_resumed reason
  result_entered seat side deal card_points scores totals contract? slot? chooser? bid? predictions?
    took_trick? dealer? sweep? stoeck? stoeck_points? melds? ties? by_hand? reason? deals? sweeps? stoecks?
    conceded? first? first_deal?
  result_corrected seat side deal card_points scores totals contract? slot? chooser? bid? predictions?
    took_trick? dealer? sweep? stoeck? stoeck_points? melds? ties? by_hand? reason? deals? sweeps? stoecks?
    conceded? first? first_deal?
    replaces rescored? winners? payments?
  result_confirmed seat side deal by? scores?
  taken_back to
championship
  regulations_set version regulations
  regulations_frozen version
  rounds_planned rounds
  entry_added player number start_of?
  entry_withdrawn player from_round
  entry_returned player
  absences_excused player rounds
  entrant_formed entrant number players
  entrant_joined entrant player
  entrant_parted entrant
  entries_merged player other reason?
  entries_parted player other
  team_formed team number
  team_joined team players reason?
  team_left players reason?
  team_dissolved team
  separator_recorded kind values
  standings_published after_round version digest reason counting_version? teams_digest?
  table_codes_made tables
  personal_links_made players
  championship_finished
  championship_archived
  championship_unarchived
  championship_deleted
round
  seed_committed algorithm single? seed!
  entropy_added entropy
  forehand_drawn game number cards dealer exchanged?
  seed_revealed seed nonce
  seats_drawn draw seed algorithm players problem tables sit_out cost
  draw_undone draw reason
  tables_drawn draw first seed algorithm players problem tables cost
  table_taken_back table
  seats_exchanged tables seats players reason?
  chair_taken table seat player instead sits_out
  substitute_named table seat player instead deal
  sheet_photo_kept table digest
  sheet_photo_erased table digest
  round_opened games modes
  table_opened table game mode
  round_closed unfinished? reason?
  round_reopened reason
  round_delayed minutes
  sitting_out_counted points
  referee_called dispute table deal? trick? incident? at_seq?
  dispute_settled dispute outcome ruling? chosen_by?
  ruling_appealed dispute ruling reason
  appeal_decided dispute outcome ruling reason chosen_by?
  codes_issued tables games
  code_renewed game table role seat
  seat_given game table seat player account office
  seat_given_back game table seat player
  hidden_cards_opened game table deal seq reason
  hands_printed draw deals
series
  series_started seed
  rules_set version rules reason?
  event_added event championship weight state reason?
  event_removed event reason?
  event_played_as event championship reason?
  event_state_changed event state reason?
  event_weight_changed event weight reason?
  events_ordered events reason?
  holders_named persons
  wild_card_given person reason
  wild_card_taken_back person
  ticket_declined person
  declining_undone person
  ticket_accepted person
  accepting_undone person
  persons_matched event persons reason?
  teams_matched event teams reason?
  categories_stated event categories reason?
  table_published version digest rankings reason?
  team_table_published version digest
  qualification_published version digest
  series_deleted
"""


def _parse_event_schemas():
    """Return for each kind of stream the types of events, with their required, allowed and secret fields."""
    known, kind = {}, None
    for line in re.sub(r"\n {4}", " ", EVENT_SCHEMAS).strip().split("\n"):
        words = line.split()
        if not line.startswith(" "):
            kind = known[line] = {}
            continue
        needed = {word for word in words[1:] if word[-1] not in "?!"}
        possible = {word[:-1] for word in words[1:] if word[-1] == "?"}
        kind[words[0]] = needed, needed | possible, {word[:-1] for word in words[1:] if word[-1] == "!"}
    return known


KNOWN_EVENTS = _parse_event_schemas()
"""Kind of stream → type of event → required, allowed and secret fields."""
SCORING_EVENTS = ("deal_scored", "result_entered", "result_corrected", "ruling_made", "game_ended")
"""Events that change the result of a game."""


def check_events(streams, report):
    """Check that every event is known and has its fields. An unknown event could change the result."""
    for stream in streams.values():
        for event in stream.events:
            where = "%s %s, event %d" % (stream.kind, stream.id, event["seq"])
            if event["type"] not in KNOWN_EVENTS[stream.kind]:
                report.add_difference(where, "no such event is known: %s" % event["type"])
                continue
            needed, possible, secret = KNOWN_EVENTS[stream.kind][event["type"]]
            if (
                not needed <= event["body"].keys() <= possible
                or not event.get("commitments", {}).keys() <= secret
            ):
                report.add_difference(where, "%s has other fields than it may" % event["type"])
