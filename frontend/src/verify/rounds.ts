/** The decks of a round dealt again for the fairness page, from the log as visible to its reader. docs/developers/dealing.md. */

import { Unusable, concat, compact, fields, hex, list, text, unhex, whole, type Json, type JsonObject } from "./file/bytes";
import { Chance, dealt } from "./chance";
import { sha256 } from "./file/sha2";

const LAID_OUT = ["hand_dealt", "table_dealt", "extra_dealt", "talon_dealt", "trump_turned", "contract_set"];

export interface Deal {
  deal: number;
  dealer: number;
  shares: string[][];
  left: string[];
  turned: JsonObject | null;
}

/** The fields of an event that dealing needs; the same in the API and in the log. */
export interface Told {
  type: string;
  body: JsonObject;
  parts: JsonObject;
  closed: boolean;
}

/** The seed of a revealed round; null if it does not match the commitment. Throws Unusable. */
export function revealedSeed(events: readonly { type: string; body: JsonObject; commitments: JsonObject }[]): Uint8Array | null {
  const committed = events.filter((event) => event.type === "seed_committed");
  const revealed = events.filter((event) => event.type === "seed_revealed");
  if (committed.length !== 1 || revealed.length !== 1) throw new Unusable("verify.seed");
  const { seed, nonce } = fields(revealed[0]!.body, ["seed", "nonce"]);
  const opened = hex(sha256(concat(unhex(nonce, 32), compact(seed))));
  return committed[0]!.commitments["seed"] === opened ? unhex(seed, 32) : null;
}

export function forehandFollows(body: JsonObject, chance: Chance): boolean {
  const cards = list(body["cards"]);
  const seats = list(cards[0]).length;
  if (seats < 2 || seats > 4) return false;
  const changed = body["exchanged"] ?? null; // early draws have no such field
  const { cards: again, forehand, exchanged } = chance.forehand(whole(body["number"], 0), seats, changed !== null);
  const told = [cards, body["dealer"], changed];
  return JSON.stringify(told) === JSON.stringify([again, (forehand + seats - 1) % seats, exchanged]);
}

/** The cards of each deal of a game. */
export function* dealsOf(events: Iterable<Told>): Generator<{ deal: Deal; seats: number }> {
  let seats = 0;
  let deal: Deal | null = null;
  let over = false;
  for (const { type, body, parts, closed } of events) {
    if (type === "game_started") seats = whole(body["seats"], 2);
    else if (type === "deal_started") {
      if (deal !== null) yield { deal, seats };
      const shares = Array.from({ length: seats }, (): string[] => []);
      deal = { deal: whole(body["deal"]), dealer: whole(body["dealer"]), shares, left: [], turned: null };
      over = false;
    } else if (deal !== null && !over && LAID_OUT.includes(type)) {
      if (closed) throw new Unusable("verify.closed_deal", { n: deal.deal });
      const open = cards(body["open"] ?? []);
      const hidden = cards(parts["cards"] ?? body["cards"] ?? parts["closed"] ?? body["closed"] ?? []);
      if (type === "talon_dealt") deal.left.push(...open, ...hidden);
      else if (type === "trump_turned") deal.turned = body;
      else if (type !== "contract_set") deal.shares[whole(body["seat"], 0)]!.push(...open, ...hidden);
    } else if (deal !== null) over = true;
  }
  if (deal !== null) yield { deal, seats };
}

/** Whether these cards come from the seed's deck at the positions of each seat. */
export function follows(deal: Deal, seats: number, chance: Chance, number: number): boolean {
  const deck = chance.pack("deck", number, deal.deal);
  const forehand = (deal.dealer + 1) % seats;
  return [forehand, ...(deal.deal === 1 ? [0] : [])].some((first) => dealtFrom(deck, deal, seats, first, chance, number));
}

function dealtFrom(deck: string[], deal: Deal, seats: number, first: number, chance: Chance, number: number): boolean {
  const size = Math.max(...deal.shares.map((share) => share.length));
  if (seats * size > 36) return false;
  const { shares, rest } = dealt(deck, seats, size, first);
  const sorted = (rows: readonly string[]): string => [...rows].sort().join();
  if (!shares.every((share, seat) => sorted(share) === sorted(deal.shares[seat]!))) return false;
  if (sorted(deal.left) !== sorted(rest.slice(0, deal.left.length))) return false;
  if (deal.turned === null) return true;
  const seat: Json | undefined = deal.turned["seat"];
  if (typeof seat === "number") return shares[seat]?.includes(text(deal.turned["card"])) ?? false;
  return deal.turned["card"] === (rest[0] ?? chance.pack("cut", number, deal.deal)[0]);
}

function cards(value: Json): string[] {
  return list(value).map(text);
}
