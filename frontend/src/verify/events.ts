/** The events that there are, and the fields they have: what nobody knows cannot change what is checked. */

import type { Report } from "./report";
import type { StoredEvent, Streams } from "./file/streams";

/** Kinds of streams, their events, and the fields of those: `?` may be missing, `!` is secret. The same as in puur_verify.py. */
const EVENTS = `
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
  entry_added player number
  entry_withdrawn player from_round
  entry_returned player
  entrant_formed entrant number players
  entrant_joined entrant player
  entrant_parted entrant
  entries_merged player other
  entries_parted player other
  separator_recorded kind values
  standings_published after_round version digest reason
  table_codes_made tables
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
  seats_exchanged tables seats players
  chair_taken table seat player instead sits_out
  substitute_named table seat player instead deal
  sheet_photo_kept table digest
  sheet_photo_erased table digest
  round_opened games modes
  round_closed unfinished?
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
`;

interface Fields {
  needed: string[];
  possible: string[];
  secret: string[];
}

function known(): Map<string, Map<string, Fields>> {
  const kinds = new Map<string, Map<string, Fields>>();
  let kind = new Map<string, Fields>();
  for (const line of EVENTS.replaceAll(/\n {4}/g, " ").trim().split("\n")) {
    const [name, ...words] = line.trim().split(" ") as [string, ...string[]];
    if (!line.startsWith(" ")) kinds.set(name, (kind = new Map()));
    else {
      const open = words.filter((word) => !word.endsWith("!"));
      kind.set(name, {
        needed: open.filter((word) => !word.endsWith("?")),
        possible: open.map((word) => word.replace("?", "")),
        secret: words.filter((word) => word.endsWith("!")).map((word) => word.slice(0, -1)),
      });
    }
  }
  return kinds;
}

const KNOWN = known();

export function checkEvents(report: Report, streams: Streams): void {
  for (const stream of streams.values()) {
    for (const event of stream.events) {
      const where = `${stream.kind} ${stream.id}, ${event.seq}`;
      const fields = KNOWN.get(stream.kind)!.get(event.type);
      if (fields === undefined) report.differs(where, "verify.unknown_event", { type: event.type });
      else if (!fit(fields, event)) report.differs(where, "verify.event_fields", { type: event.type });
    }
  }
}

function fit({ needed, possible, secret }: Fields, { body, commitments }: StoredEvent): boolean {
  return (
    needed.every((name) => Object.hasOwn(body, name)) &&
    Object.keys(body).every((name) => possible.includes(name)) &&
    Object.keys(commitments).every((name) => secret.includes(name))
  );
}
