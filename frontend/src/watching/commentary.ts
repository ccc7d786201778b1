/** Commentary: one sentence for each notable event. */

import type { Code } from "../table/cards";
import type { EventBase, GameEvent } from "../table/events";
import { cardName, contractName, type Deck, type Page, say, sideName, signed, slotName } from "../page";
import { paid } from "../table/payments";
import type { Table } from "../table/table";

export interface Line {
  seq: number;
  text: string;
  tone: "plain" | "head" | "warn" | "note" | "gone";
}

const line = (seq: number, text: string, tone: Line["tone"] = "plain"): Line => ({ seq, text, tone });

/** Points of the sides, joined by a dash only if none is negative. */
function scoresText(scores: readonly (number | null)[] | null): string {
  const plain = (scores ?? []).every((score) => score !== null && score >= 0);
  return (scores ?? []).map((score) => (score === null ? "–" : signed(score))).join(plain ? say("log.between") : " : ");
}

function contractText(e: { contract: string | null; seat?: number | null; slot?: string | null }, name: string, byCard: boolean, deck: Deck): string {
  const contract = contractName(e.contract, deck);
  if (byCard || e.seat === null || e.seat === undefined) return say("log.contract_by_card", { contract });
  if (e.contract === null) return say("log.contract_set", { name, contract: slotName(e.slot ?? "", deck) });
  const slot = e.slot ? slotName(e.slot, deck) : contract;
  return contract.includes(slot) ? say("log.contract_set", { name, contract }) : say("log.contract_slot", { name, slot, contract });
}

/** `table` is the state after the event. null: no commentary. */
export function describe(table: Table, event: EventBase, page: Page, deck: Deck): Line | null {
  const e = event as GameEvent;
  const name = (seat: number | null | undefined): string =>
    seat === null || seat === undefined ? say("nobody") : (page.names[seat] ?? "");
  const cards = (codes: readonly (Code | null)[]): string => codes.map((code) => cardName(code, deck)).join(", ");
  switch (e.type) {
    case "game_started":
      return line(e.seq, say("log.game_started"), "head");
    case "deal_started":
      return line(e.seq, say("log.deal_started", { deal: e.deal, name: name(e.dealer) }), "head");
    case "pushed":
      return line(e.seq, say("log.pushed", { name: name(e.seat) }));
    case "contract_set":
      return line(e.seq, contractText(e, name(e.seat), (page.rules.by_card ?? []).length > 0, deck));
    case "talon_dealt":
      return e.open.every((card) => card === null) ? null : line(e.seq, say("log.talon_dealt", { cards: cards(e.open) }));
    case "talon_taken":
      return line(e.seq, say("log.talon_taken", { name: name(e.seat) }));
    case "cards_discarded":
      return line(e.seq, say("log.cards_discarded", { name: name(e.seat), count: e.size }));
    case "discards_counted":
      return e.points === null ? null : line(e.seq, say("log.discards_counted", { name: name(e.seat), points: e.points }));
    case "trump_turned":
      return line(e.seq, say("log.trump_turned", { card: cardName(e.card, deck) }));
    case "turned_taken":
      return line(e.seq, say("log.turned_taken", { name: name(e.seat), card: cardName(e.card, deck), six: cardName(e.six, deck) }));
    case "extra_exchanged":
      return line(e.seq, say("log.extra_exchanged", { name: name(e.seat), count: e.size }));
    case "table_card_turned":
      return line(e.seq, say("log.table_card_turned", { name: name(e.seat), card: cardName(e.card, deck) }));
    case "bid_made":
    case "auction_won":
    case "deal_conceded":
      return line(e.seq, say(`log.${e.type}`, { name: name(e.seat), points: e.points }), e.type === "bid_made" ? "plain" : "head");
    case "bid_deferred":
    case "bid_passed":
    case "extra_kept":
    case "deal_accepted":
    case "deal_stopped":
      return line(e.seq, say(`log.${e.type}`, { name: name(e.seat) }));
    case "auction_failed":
      return line(e.seq, say("log.auction_failed"), "head");
    case "suit_barred":
      return line(e.seq, say("log.suit_barred", { name: name(e.seat), suit: contractName(e.suit, deck) }), "warn");
    case "prediction_made":
      return e.points === null
        ? line(e.seq, say("log.prediction_sealed", { name: name(e.seat) }))
        : line(e.seq, say("log.prediction_made", { name: name(e.seat), points: e.points }));
    case "predictions_revealed": {
      const said = e.points.map((points, seat) => `${name(seat)} ${points ?? "–"}`).join(", ");
      return line(e.seq, say("log.predictions_revealed", { predictions: said }));
    }
    case "melds_declared": {
      const points = e.declared.map((meld) => meld.points).join(" + ");
      return line(e.seq, say("log.melds_declared", { name: name(e.seat), points }));
    }
    case "card_played":
      return line(e.seq, say("log.card_played", { name: name(e.seat), card: cardName(e.card, deck) }));
    case "stoeck_declared":
      return line(e.seq, say("log.stoeck_declared", { name: name(e.seat), points: e.points }));
    case "melds_shown":
      return line(e.seq, say("log.melds_shown", { name: name(e.seat) }));
    case "melds_scored":
      if (e.side === null) return line(e.seq, say("log.melds_open"), "note");
      return line(e.seq, say("log.melds_scored", { side: sideName(page, table, e.side), points: e.points }));
    case "trick_taken":
      return e.points === null
        ? line(e.seq, say("log.trick_taken_unknown", { name: name(e.seat) }))
        : line(e.seq, say("log.trick_taken", { name: name(e.seat), points: e.points }));
    case "infraction_found":
      return line(e.seq, say(`infraction.${e.code}`, { name: name(e.seat), trick: e.trick }), "warn");
    case "deal_scored":
      return line(
        e.seq,
        say("log.deal_scored", { deal: e.deal, scores: scoresText(e.scores), totals: scoresText(e.totals) }),
        "head",
      );
    case "deal_annulled":
      return line(e.seq, say("log.deal_annulled", { deal: e.deal }), "warn");
    case "ruling_made": {
      const counts = e.scores ? say("log.ruling_scores", { scores: scoresText(e.scores) }) : "";
      const about = [
        ...(typeof e.deal === "number" ? [say("log.ruling_deal", { deal: e.deal })] : []),
        ...(typeof e.trick === "number" ? [say("log.ruling_trick", { trick: e.trick })] : []),
        ...(typeof e.against === "number" ? [name(e.against)] : []),
      ].join(", ");
      const ruling = { number: e.ruling, reason: e.reason };
      const told = about === "" ? say("log.ruling_made", ruling) : say("log.ruling_about", { ...ruling, about });
      return line(e.seq, `${told} ${counts}`.trim(), "warn");
    }
    case "out_claimed":
      return line(e.seq, say(e.right ? "log.out_right" : "log.out_wrong", { name: name(e.seat) }), "head");
    case "game_ended": {
      const winners = e.winners.map((side) => sideName(page, table, side)).join(", ");
      const payments = (e.payments ?? []).map((payment, side) => say("log.payments", { name: sideName(page, table, side), paid: paid(payment, table.sides) }));
      const key = page.names.includes(winners) ? "log.game_won" : "log.game_ended";
      return line(e.seq, [say(key, { winners, totals: scoresText(e.totals) }), ...payments].join(" "), "head");
    }
    case "game_closed":
      return line(e.seq, say("log.game_closed", { reason: e.reason }), "warn");
    case "game_resumed":
      return line(e.seq, say("log.game_resumed", { reason: e.reason }), "head");
    case "result_entered":
    case "result_corrected": {
      const whole = e.deals !== null && e.deals !== undefined;
      const own = !whole ? `log.${e.type}` : e.type === "result_entered" ? "log.totals_entered" : "log.totals_corrected";
      const key = (e.reason ?? null) === null ? own : "log.result_by_office";
      return line(e.seq, say(key, { deal: e.deal, deals: e.deals ?? null, scores: scoresText(e.scores), name: e.seat === null ? say("desk") : name(e.seat), reason: e.reason }));
    }
    case "taken_back":
      if (table.past[table.past.length - 1]?.seq === e.seq) return null; // the deal is reopened for the next event
      return line(e.seq, say("log.taken_back"), "note");
    case "result_confirmed":
      if (e.by) return line(e.seq, say(`log.confirmed_${e.by}`, { deal: e.deal }));
      return line(e.seq, say("log.result_confirmed", { deal: e.deal, side: e.side === null ? "" : sideName(page, table, e.side) }));
    default:
      return null;
  }
}
