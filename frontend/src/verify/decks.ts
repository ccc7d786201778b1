/** Rounds whose seed is revealed: draws, and every deck dealt again. docs/developers/dealing.md. */

import { Unusable, hex, list, text, whole, type Json, type JsonObject } from "./file/bytes";
import { DECK, dealt, type Chance } from "./chance";
import { knownGame, type KnownGame, type Pile } from "./known_games";
import type { Report } from "./report";
import { forehandFollows } from "./rounds";
import { chanceOf, same, started, type Opened, type Round } from "./round_log";
import type { StoredEvent, Stream, Streams } from "./file/streams";

/** The cards of a deal: shares by seat, the rest, the turned card, and the index of the next event. */
interface LaidOut {
  deal: number;
  dealer: number;
  first: number;
  shares: Record<Pile, string[]>[];
  talon: string[] | null;
  turned: JsonObject | null;
  recordedAt: string;
  end: number;
}

/**
 * With seeds committed before this date, the last seat dealt first in some games, and two could change chairs
 * (docs/developers/dealing.md). The commitment is sealed before any card is known; the date of a game is that of its
 * dealt cards.
 */
const LOTS_SINCE = "2026-11-24";
const LAID_OUT = ["table_dealt", "extra_dealt", "talon_dealt", "trump_turned"];
const SECRET: Record<string, string> = { hand_dealt: "cards", extra_dealt: "cards", table_dealt: "closed", talon_dealt: "closed" };

/** Deal every deck of a revealed round again, and check that its draws and lots used its seed. */
export function checkDecks(report: Report, streams: Streams, rounds: readonly Round[]): void {
  const counts = { rounds: 0, deals: 0, draws: 0 };
  for (const one of rounds) {
    if (one.chapters.at(-1)?.seed) counts.rounds++;
    try {
      checkRound(one, streams, report, counts);
    } catch (error) {
      report.broken(one.where, error);
    }
  }
  report.check("verify.checked_rounds", counts);
}

function checkRound(one: Round, streams: Streams, report: Report, counts: { deals: number; draws: number }): void {
  for (const { draw, purpose, seed, chapter, entropy } of one.drawn) {
    if (chapter.seed === null) continue;
    counts.draws++;
    const follows = hex(chanceOf(chapter, entropy).first(32, purpose, draw));
    if (seed !== "" && seed !== follows) one.differs("verify.draw_seed", { n: draw });
  }
  for (const [id, opened] of [...one.opened].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const stream = streams.get(id);
    const where = `game ${id}`;
    if (stream === undefined) {
      one.differs("verify.game_gone", { game: id });
      continue;
    }
    const start = started(stream);
    const isDealt = start["mode"] === "dealt";
    const early = opened.chapter.committedAt < LOTS_SINCE;
    const drawn = opened.forehand !== null;
    const game = knownGame(start);
    if (game && !(early && !game.lotsEver) && drawn !== (isDealt && drawsLots(game, start))) one.differs("verify.forehand_lots", { n: opened.place });
    const exchanged = opened.forehand?.body["exchanged"] ?? null;
    if (drawn && !early && exchanged !== null) one.differs("verify.chairs_lots", { n: opened.place });
    const deals = isDealt ? dealsOf(stream, start, opened, report) : [];
    const { chapter } = opened;
    if (chapter.seed === null) continue;
    if (isDealt && stream.events.some(isClosed)) {
      report.differs(where, "verify.closed_game");
      continue;
    }
    if (opened.forehand !== null) {
      counts.draws++;
      const { body, entropy } = opened.forehand;
      if (!forehandFollows(body, chanceOf(chapter, entropy))) one.differs("verify.forehand", { n: opened.place });
    }
    for (const deal of deals) {
      counts.deals++;
      if (!follows(deal, start, chanceOf(chapter), opened.number)) report.differs(where, "verify.deck", { n: deal.deal });
      if (deal.recordedAt > chapter.revealedAt) report.differs(where, "verify.deal_public", { n: deal.deal });
    }
  }
}

function isClosed(event: StoredEvent): boolean {
  return Object.keys(event.commitments).some((name) => !Object.hasOwn(event.parts, name));
}

function options(start: JsonObject): JsonObject {
  return start["options"] as JsonObject;
}

/** Whether the forehand of the first deal is drawn from the seed. */
function drawsLots({ lots }: KnownGame, start: JsonObject): boolean {
  return lots === "always" || (lots !== undefined && options(start)[lots] === "drawn");
}

/** The deals of a dealt game. Reports misplaced events. */
function dealsOf(stream: Stream, start: JsonObject, opened: Opened, report: Report): LaidOut[] {
  const where = `game ${stream.id}`;
  const seats = whole(start["seats"], 2);
  const found: LaidOut[] = [];
  const annulled = new Set<Json | undefined>();
  const rulings = new Map<Json | undefined, JsonObject>();
  let auction = false;
  for (const [at, { type, body, seq }] of stream.events.entries()) {
    const before = found.at(-1);
    if (type === "auction_won") auction = true;
    else if (type === "deal_annulled") annulled.add(body["deal"]);
    else if (type === "ruling_made") {
      rulings.delete(body["replaces"]);
      rulings.set(body["ruling"], body);
    } else if ((type === "hand_dealt" || LAID_OUT.includes(type)) && (before === undefined || at >= before.end)) {
      report.differs(where, "verify.laid_elsewhere", { seq });
    } else if (type === "deal_started") {
      let deal: LaidOut;
      try {
        deal = laidOut(stream.events, at, seats);
      } catch (error) {
        report.broken(where, error);
        return found;
      }
      const ruled = [...rulings.values()].some((one) => one["deal"] === before?.deal && (one["kind"] === "annul_deal" || one["choice"] === "annul"));
      const again = before !== undefined && (annulled.has(before.deal) || (knownGame(start)?.againWithoutBid === true && !auction));
      const due = dealers(deal, start, opened, seats, before, again, ruled);
      if (deal.deal !== (before?.deal ?? 0) + 1 || Object.hasOwn(body, "place")) report.differs(where, "verify.deal_next", { n: deal.deal });
      if (!due.includes(deal.dealer)) report.differs(where, "verify.dealer", { n: deal.deal, seat: deal.dealer, due: due[0] });
      found.push(deal);
      auction = false;
    }
  }
  return found;
}

/** The seats that may deal. Sets `deal.first`, the seat that gets the first cards. */
function dealers(deal: LaidOut, start: JsonObject, opened: Opened, seats: number, before: LaidOut | undefined, again: boolean, ruled: boolean): number[] {
  deal.first = (deal.dealer + 1) % seats;
  const isKnown = knownGame(start) !== null;
  if (before !== undefined) {
    const next = (before.dealer + 1) % seats;
    return again ? [before.dealer] : ruled || !isKnown ? [next, before.dealer] : [next];
  }
  if (!isKnown && opened.forehand === null) return [deal.dealer];
  const marker = options(start)["first_forehand"];
  if (typeof marker !== "string" || !DECK.includes(marker)) return [opened.forehand === null ? seats - 1 : whole(opened.forehand.body["dealer"], 0)];
  deal.first = 0;
  const holder = deal.shares.findIndex((share) => share.hand.includes(marker));
  return [holder < 0 ? deal.dealer : (holder + seats - 1) % seats];
}

/** A deal from its first event on. Cards that are still closed are left out. Throws Unusable. */
function laidOut(events: readonly StoredEvent[], at: number, seats: number): LaidOut {
  const { body, recordedAt } = events[at]!;
  const [n, dealer] = [whole(body["deal"]), whole(body["dealer"], 0)];
  let end = at + 1 + seats;
  const hands = events.slice(at + 1, end);
  const order = Array.from({ length: seats }, (_, turn) => ["hand_dealt", (dealer + 1 + turn) % seats]);
  const told = hands.map((event) => [event.type, event.body["seat"]]);
  if (!same(told, order)) throw new Unusable("verify.hands", { n });
  const more = (place: number): boolean => {
    const type = events[place]?.type ?? "";
    return LAID_OUT.includes(type) || (type === "contract_set" && events[place - 1]!.type === "trump_turned");
  };
  while (more(end)) end++;
  const shares = hands.map((): Record<Pile, string[]> => ({ hand: [], extra: [], open: [], closed: [] }));
  const deal: LaidOut = { deal: n, dealer, first: 0, shares, talon: null, turned: null, recordedAt, end };
  for (const event of events.slice(at + 1, end)) {
    const name = SECRET[event.type];
    if (name !== undefined && !Object.hasOwn(event.commitments, name)) throw new Unusable("verify.hand_open", { n });
    const cards = name === undefined ? [] : list(event.parts[name] ?? []).map(text);
    if (name !== undefined && Object.hasOwn(event.parts, name) && cards.length !== event.body["size"]) throw new Unusable("verify.hand_size", { n });
    if (event.type === "trump_turned") deal.turned = event.body;
    if (event.type === "talon_dealt") deal.talon = [...list(event.body["open"]).map(text), ...cards];
    const share = shares[typeof event.body["seat"] === "number" ? event.body["seat"] : -1];
    if (event.type === "hand_dealt") share!.hand.push(...cards);
    else if (event.type === "extra_dealt" || event.type === "table_dealt") {
      if (share === undefined) throw new Unusable("verify.hands", { n });
      if (event.type === "extra_dealt") share.extra.push(...cards);
      else {
        share.closed.push(...cards);
        share.open.push(...list(event.body["open"]).map(text));
      }
    }
  }
  return deal;
}

/** Whether these cards come from the seed's deck at the positions of each seat: three at a time. */
function follows(deal: LaidOut, start: JsonObject, chance: Chance, number: number): boolean {
  const seats = whole(start["seats"], 2);
  const { turned, talon } = deal;
  const game = knownGame(start);
  if (game === null) return followsUnknown(deal, seats, chance, number);
  let size = game.share ?? Math.floor(36 / seats);
  if (game.turned === "last-or-talon" && talon !== null) size = whole(options(start)["first_hand"], 1);
  if (size * seats > 36) return false;
  const { shares, rest } = dealt(chance.pack("deck", number, deal.deal), seats, size, deal.first);
  const piles = game.piles ?? [["hand", 0, 36]];
  const lying = shares.map((share, seat) => {
    const told = deal.shares[seat]!;
    return (["hand", "extra", "open", "closed"] as const).every((name) => {
      const pile = piles.find(([one]) => one === name);
      return same([...told[name]].sort(), pile === undefined ? [] : share.slice(pile[1], pile[2]).sort());
    });
  });
  if (!lying.every(Boolean)) return false;
  if (talon !== null && (game.turned !== "last-or-talon" || !same(talon, rest.slice(0, 6)))) return false;
  let should: { card: string | undefined; seat?: number } | null = null;
  const last = { card: shares[deal.dealer]!.at(-1), seat: deal.dealer };
  if (game.turned === "next") should = { card: rest[0] };
  else if (game.turned === "last-or-cut") should = options(start)["trump"] === "cut" ? { card: chance.pack("cut", number, deal.deal)[0] } : last;
  else if (game.turned === "last-or-talon" && talon === null) should = last;
  if (should === null || turned === null) return should === turned;
  return turned["card"] === should.card && turned["seat"] === should.seat && Object.keys(turned).length === Object.keys(should).length;
}

/**
 * The same for an unknown game: each seat's cards are one share of the deck, in any arrangement, and the talon comes
 * from the rest.
 */
function followsUnknown(deal: LaidOut, seats: number, chance: Chance, number: number): boolean {
  const told = deal.shares.map((share) => Object.values(share).flat().sort());
  const size = told[0]!.length;
  if (size === 0 || size * seats > 36) return false;
  const cut = chance.pack("cut", number, deal.deal)[0];
  return [deal.first, 0, (deal.dealer + 1) % seats].some((first) => {
    const { shares, rest } = dealt(chance.pack("deck", number, deal.deal), seats, size, first);
    const shown = deal.turned === null ? cut : deal.turned["card"];
    const isShown = [cut, ...rest, ...shares.map((share) => share.at(-1))].includes(shown as string);
    const all = shares.map((share) => [...share].sort());
    return same(all, told) && (deal.talon ?? []).every((card) => rest.includes(card)) && isShown;
  });
}
