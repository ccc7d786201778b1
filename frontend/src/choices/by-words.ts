/** A text interface to a table for blind players: questions, card names and announcements are typed, and answered in words. */

import { type Code } from "../table/cards";
import { sortHand } from "../table/hand-order";
import { openCards } from "../table/laying-out";
import { cardName, contractName, type Page, say, sideName, signed } from "../page";
import { sidesOf } from "../slate/slate-view";
import { rulesOf } from "../table/rules";
import { type DealStanding, standingOf } from "../table/standing";
import type { Play, Table } from "../table/table";

/** An action, by the label of its button. */
export interface Offer {
  name: string;
  press: () => void;
}

export interface Seen {
  page: Pick<Page, "names" | "rules">;
  table: Table;
  seat: number;
  legal: readonly Code[];
  offers: readonly Offer[];
  /** Notes beside the actions: the number of cards to choose, and the number chosen. */
  notes: readonly string[];
}

/** A text, or the recognized action. */
export type Answer = { text: string } | { card: Code } | { offer: Offer };

const ASKED: Record<string, (seen: Seen) => string> = { hand, trick, score, last };

/** Normalize case, marks and spaces. */
const plain = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}\s]/gu, "")
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean);

/** Whether each typed word is a prefix of a word of the name, in order. */
export function fits(typed: string, name: string): boolean {
  const left = plain(name);
  const words = plain(typed);
  return words.length > 0 && words.every((word) => {
    const at = left.findIndex((part) => part.startsWith(word));
    left.splice(0, at + 1);
    return at >= 0;
  });
}

/** Whether a card is meant, with its words in either order: "ace of roses" or "roses ace". */
function meansCard(typed: string, name: string): boolean {
  return fits(typed, name) || fits(typed, name.split(" ").reverse().join(" "));
}

export function answer(line: string, seen: Seen): Answer {
  const said = plain(line).join(" ");
  const word = Object.keys(ASKED).find((name) => said === name || said === plain(say(`words.${name}`)).join(" "));
  if (word !== undefined) return { text: ASKED[word]!(seen) };
  const own = [...(seen.table.hands[seen.seat] ?? []), ...openCards(seen.table, seen.seat)];
  const cards = own.filter((card) => card.toLowerCase() === said || meansCard(line, cardName(card)));
  const offers = seen.offers.filter((offer) => fits(line, offer.name));
  // A suit may also be the beginning of card names: a line that equals an offer's whole name means that offer.
  const meant = offers.find(({ name }) => plain(name).join(" ") === said);
  if (meant !== undefined) return { offer: meant };
  const [card, other] = cards;
  const [offer, another] = offers;
  if (card !== undefined && other === undefined && offer === undefined) return { card };
  if (offer !== undefined && another === undefined && card === undefined) return { offer };
  const several = [...cards.map((one) => cardName(one)), ...offers.map(({ name }) => name)];
  return { text: several.length > 0 ? say("words.which", { names: several.join(", ") }) : say("words.unknown") };
}

const named = (cards: readonly Code[]): string => cards.map((card) => cardName(card)).join(", ");

function hand({ table, seat, legal, offers, notes }: Seen): string {
  const own = sortHand(table.hands[seat] ?? [], table.contract);
  const open = openCards(table, seat);
  const parts = [say("words.your_hand", { cards: named(own) })];
  if (open.length > 0) parts.push(say("words.open_own", { cards: named(open) }));
  parts.push(...notes);
  if (legal.length > 0 && legal.length < own.length + open.length) parts.push(say("words.legal", { cards: named(sortHand(legal, table.contract)) }));
  if (offers.length > 0) parts.push(say("words.offers", { names: offers.map(({ name }) => name).join(", ") }));
  return parts.join(" ");
}

const listPlays = ({ page }: Seen, plays: readonly Play[]): string => plays.map(({ seat, card }) => `${page.names[seat]}: ${cardName(card)}`).join(", ");

function trick(seen: Seen): string {
  const { table } = seen;
  const number = table.tricks.length + 1;
  const contract = contractName(table.contract);
  const lies = table.trick.length === 0 ? say("words.empty_trick", { contract, number }) : say("words.the_trick", { contract, number, cards: listPlays(seen, table.trick) });
  return [lies, ...beforeOthers(seen)].join(" ");
}

/** The public cards before the other seats. */
function beforeOthers({ page, table, seat: own }: Seen): string[] {
  const open = table.laid.piles.map((_, seat) => (seat === own ? [] : openCards(table, seat)));
  return open.flatMap((cards, seat) => (cards.length === 0 ? [] : [say("words.open_before", { name: page.names[seat], cards: named(cards) })]));
}

function score({ page, table }: Seen): string {
  const sides = (points: readonly (number | null)[]): string => sidesOf(table).map((side) => `${sideName(page, table, side)}: ${signed(points[side] ?? 0)}`).join(", ");
  const total = say("words.the_score", { deal: table.deal, sides: sides(table.totals) });
  const standing = standingOf(table, rulesOf(page));
  if (standing === null || standing.points.includes(null)) return total;
  const now = sidesOf(table).map((side) => `${sideName(page, table, side)}: ${towards(standing, side)}`);
  return `${total} ${say("slate.this_deal", { points: now.join(", ") })}.`;
}

/** The points of a side in the running deal, with its prediction or bid. */
function towards(standing: DealStanding, side: number): string {
  const points = signed(standing.points[side] ?? 0);
  const goal = standing.aimed === "target" ? null : (standing.goals[side] ?? null);
  if (goal === null) return points;
  return standing.aimed === "predicted" ? say("words.of_predicted", { points, goal }) : say("words.of_bid", { points, goal });
}

/** The last trick, if the rules allow to look at it. */
function last(seen: Seen): string {
  const { table, page } = seen;
  const taken = table.tricks.at(-1);
  if (taken === undefined) return say("words.no_trick");
  const allowed = table.options["look_back"];
  if (allowed !== "last" && allowed !== "all") return say("words.not_looked_at");
  return say("words.the_last", { cards: listPlays(seen, taken.plays), name: taken.taker === null ? "" : page.names[taken.taker] });
}
