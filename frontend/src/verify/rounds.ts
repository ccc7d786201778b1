/** Rounds whose seed is revealed: commitment, draws, and every deck dealt again. docs/developers/dealing.md. */

import { Unusable, concat, compact, fields, hex, list, text, unhex, whole, type Json, type JsonObject } from "./bytes";
import { Chance, dealt } from "./chance";
import type { Report } from "./report";
import { sha256 } from "./sha2";
import type { StoredEvent, Stream, Streams } from "./streams";

export const DRAW_STEP = 10_000;
const LAID_OUT = ["hand_dealt", "table_dealt", "extra_dealt", "talon_dealt", "trump_turned", "contract_set"];

export interface Deal {
  deal: number;
  dealer: number;
  shares: string[][];
  left: string[];
  turned: JsonObject | null;
}

/** What a dealing needs to be told of an event; the API's and the log's have the same fields. */
export interface Told {
  type: string;
  body: JsonObject;
  parts: JsonObject;
  closed: boolean;
}

export function checkRounds(report: Report, streams: Streams): void {
  const counts = { rounds: 0, deals: 0, draws: 0 };
  for (const stream of streams.values()) {
    if (stream.kind !== "round" || !stream.events.some((event) => event.type === "seed_revealed")) continue;
    try {
      checkRound(stream, streams, report, counts);
    } catch (error) {
      report.broken(`round ${stream.id}`, error);
    }
  }
  report.check("verify.checked_rounds", counts);
}

/** The seed of a revealed round, if it is the one that was committed to. */
export function revealedSeed(events: readonly { type: string; body: JsonObject; commitments: JsonObject }[]): Uint8Array | null {
  const committed = events.filter((event) => event.type === "seed_committed");
  const revealed = events.filter((event) => event.type === "seed_revealed");
  if (committed.length !== 1 || revealed.length !== 1) throw new Unusable("verify.seed");
  const { seed, nonce } = fields(revealed[0]!.body, ["seed", "nonce"]);
  const opened = hex(sha256(concat(unhex(nonce, 32), compact(seed))));
  return committed[0]!.commitments["seed"] === opened ? unhex(seed, 32) : null;
}

function checkRound(stream: Stream, streams: Streams, report: Report, counts: { rounds: number; deals: number; draws: number }): void {
  const where = `round ${stream.id}`;
  counts.rounds++;
  const seed = revealedSeed(stream.events);
  if (seed === null || stream.events[0]!.type !== "seed_committed") {
    report.differs(where, "verify.seed");
    return;
  }
  const entropy: string[] = [];
  const tables = new Map<string, number>();
  const games = new Set<string>();
  let begun = false;
  let draw = 0;
  for (const { type, body } of stream.events) {
    if (type === "entropy_added") {
      entropy.push(text(body["entropy"]));
      if (begun) report.differs(where, "verify.late_entropy");
    } else if (type === "seats_drawn") {
      draw = whole(body["draw"]);
      counts.draws++;
      if (body["seed"] !== "" && body["seed"] !== hex(new Chance(seed, entropy).first(32, "pairing", draw))) {
        report.differs(where, "verify.draw_seed", { n: draw });
      }
    } else if (type === "forehand_drawn") {
      begun = true;
      counts.draws++;
      const number = whole(body["number"], 0);
      if (!forehandFollows(body, new Chance(seed, entropy))) report.differs(where, "verify.forehand", { n: number });
      tables.set(text(body["game"]), number);
    } else if (type === "round_opened") {
      begun = true;
      const modes = list(body["modes"]);
      list(body["games"]).forEach((game, at) => {
        const number = Math.max(draw - 1, 0) * DRAW_STEP + at + 1;
        games.add(text(game));
        if (modes[at] !== "dealt") return;
        if ((tables.get(text(game)) ?? number) !== number) report.differs(where, "verify.other_cards", { n: at + 1 });
        tables.set(text(game), number);
      });
    }
  }
  for (const id of [...new Set([...games, ...tables.keys()])].sort()) {
    const game = streams.get(id);
    if (game === undefined) report.differs(where, "verify.game_gone", { game: id });
    else if (game.events.some(isClosed)) report.differs(`game ${id}`, "verify.closed_game");
  }
  const chance = new Chance(seed, entropy);
  for (const [id, number] of [...tables].sort()) {
    const game = streams.get(id);
    if (game === undefined) continue;
    const told = game.events.map((event) => ({
      type: event.type,
      body: event.body,
      parts: event.parts,
      closed: isClosed(event),
    }));
    for (const { deal, seats } of dealsOf(told)) {
      counts.deals++;
      if (!follows(deal, seats, chance, number)) report.differs(`game ${id}`, "verify.deck", { n: deal.deal });
    }
  }
}

function isClosed(event: StoredEvent): boolean {
  return Object.keys(event.commitments).some((name) => !Object.hasOwn(event.parts, name));
}

export function forehandFollows(body: JsonObject, chance: Chance): boolean {
  const cards = list(body["cards"]);
  const seats = list(cards[0]).length;
  if (seats < 2 || seats > 4) return false;
  const { cards: again, forehand, exchanged } = chance.forehand(whole(body["number"], 0), seats, body["exchanged"] !== null);
  const told = [cards, body["dealer"], body["exchanged"]];
  return JSON.stringify(told) === JSON.stringify([again, (forehand + seats - 1) % seats, exchanged]);
}

/** What was laid out in each deal of a game. */
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

/** Whether these cards lay in the deck of the seed where each seat got its own. */
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
