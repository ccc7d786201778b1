/** Each card is played once, out of the hand it was dealt to, in turn; the totals are the sum of the deals. */

import { Unusable, list, text, whole, type Json, type JsonObject } from "./file/bytes";
import { DECK } from "./chance";
import { knownGame, type KnownGame } from "./known_games";
import type { Report } from "./report";
import { same, started } from "./story";
import type { StoredEvent, Stream, Streams } from "./file/streams";

const CHANGE_HANDS = ["talon_taken", "cards_discarded", "extra_exchanged", "turned_taken"];
const SUITS = ["diamonds", "hearts", "spades", "clubs"];
const WAYS = ["obenabe", "undenufe"];
const CONTRACTS = [...SUITS, ...WAYS, ...["slalom", "guschti"].flatMap((kind) => WAYS.map((way) => `${kind}-${way}`))];
const TRUMP_ORDER = [0, 1, 2, 7, 3, 8, 4, 5, 6];
/** Of 6 7 8 9 10 J Q K A. */
const WORTH = [0, 0, 0, 0, 10, 2, 3, 4, 11];
const PLAY = ["deal_started", "card_played", "result_entered", "result_confirmed"];

export function checkGames(report: Report, streams: Streams): void {
  let deals = 0;
  const unknown = new Set<string>();
  for (const stream of streams.values()) {
    if (stream.kind !== "game") continue;
    try {
      const start = started(stream);
      if (!Object.keys(start).length || stream.events.slice(1).some(({ type }) => type === "game_started")) throw new Unusable("verify.begins_once");
      if (knownGame(start) === null) unknown.add(String(start["variant"]));
      if (start["mode"] === "dealt") deals += checkPlay(stream, start);
      checkTotals(stream, start);
      checkBreaks(stream);
      if (start["mode"] === "sheet") checkSigned(stream, start["confirmation"] ?? "paper");
      if (start["mode"] === "sheet" && start["hand_in"] === "totals" && knownGame(start) !== null) checkWhole(stream, start["options"] as JsonObject);
    } catch (error) {
      report.broken(`game ${stream.id}`, error);
    }
  }
  report.check("verify.checked_play", { n: deals });
  for (const game of [...unknown].sort()) report.leaves("verify.game_unknown", { game });
}

interface Played {
  seat: number;
  card: string;
}

/** The cards of a dealt game. How many deals there are. Throws Unusable. */
function checkPlay(stream: Stream, start: JsonObject): number {
  const seats = whole(start["seats"], 2);
  const game = knownGame(start);
  let hands = new Map<Json | undefined, string[]>();
  let played = new Set<string>();
  let trick: Played[] = [];
  let lead: number | null = null;
  let [deals, tricks, all, exchanged] = [0, 0, 0, false];
  let contract: Json | undefined = null;
  for (const [at, { type, body, parts, commitments, seq }] of stream.events.entries()) {
    if (type === "deal_started") {
      hands = new Map();
      played = new Set();
      [trick, lead, contract, exchanged, tricks, all] = [[], null, null, false, 0, 0];
      deals++;
    } else if (["hand_dealt", "table_dealt", "hand_taken_up"].includes(type)) {
      const names = ["cards", "closed"].filter((name) => Object.hasOwn(commitments, name));
      // Still closed: what is in a hand cannot be said.
      if (names.some((name) => !Object.hasOwn(parts, name))) exchanged = true;
      const cards = [...names.flatMap((name) => list(parts[name] ?? [])), ...list(body["open"] ?? [])].map(text);
      const hand = hands.get(body["seat"]) ?? [];
      if (type !== "hand_taken_up" && body["seat"] === 0) all += whole(body["size"], 0) * (type === "table_dealt" ? 2 : 1);
      if (type !== "hand_taken_up") hands.set(body["seat"], [...hand, ...cards]);
      else if (!exchanged && !same([...cards].sort(), [...hand].sort())) throw new Unusable("verify.hand_taken", { seq });
    } else if (CHANGE_HANDS.includes(type)) exchanged = true;
    else if (type === "contract_set") {
      const named = body["contract"];
      // Of a game that is not known it is not known either what a contract makes of tricks that were begun before it.
      const binds = game !== null || (played.size === 0 && CONTRACTS.includes(named as string));
      contract = binds ? named : null;
    } else if (type === "card_played") {
      const [seat, card] = [whole(body["seat"], 0), text(body["card"])];
      const has = exchanged || (hands.get(seat) ?? []).includes(card);
      if (!DECK.includes(card) || played.has(card) || !has) throw new Unusable("verify.card", { seq, seat, card });
      const last = trick.at(-1);
      const due: number | null = last === undefined ? lead : (last.seat + 1) % seats;
      if (trick.length === seats || (due !== null && seat !== due)) throw new Unusable("verify.turn", { seq, seat });
      played.add(card);
      trick.push({ seat, card });
    } else if (type === "trick_taken") {
      tricks++;
      if (trick.length !== seats) throw new Unusable("verify.trick_full", { seq });
      if (game?.lateTrumps !== true && typeof contract === "string") checkTrick({ game, contract, number: tricks, all, seq }, trick, body);
      trick = [];
      lead = whole(body["seat"], 0);
    } else if (type === "deal_scored" && trick.length === seats && !isWonBySaying(stream.events, at)) throw new Unusable("verify.trick_left", { seq });
  }
  return deals;
}

/** Whether a deal ends with the game by melds or Stöck, before the trick that lies there is taken. */
function isWonBySaying(events: readonly StoredEvent[], at: number): boolean {
  return ["melds_scored", "stoeck_declared"].includes(events[at - 1]?.type ?? "") && events[at + 1]?.type === "game_ended";
}

interface Trick {
  game: KnownGame | null;
  contract: string;
  number: number;
  all: number;
  seq: number;
}

/** Who took it, and what it is worth, where the contract says so. */
function checkTrick({ game, contract, number, all, seq }: Trick, trick: readonly Played[], body: JsonObject): void {
  const cards = trick.map(({ card }) => ({ suit: Math.floor(DECK.indexOf(card) / 9), rank: DECK.indexOf(card) % 9 }));
  const trump = SUITS.indexOf(contract);
  let up = contract.endsWith("obenabe");
  const half = Math.floor((all + 1) / 2);
  if ((contract.startsWith("slalom") && number % 2 === 0) || (contract.startsWith("guschti") && number > half)) up = !up;
  const strength = ({ suit, rank }: { suit: number; rank: number }): number => {
    if (suit === trump) return 100 + TRUMP_ORDER[rank]!;
    return suit === cards[0]!.suit ? (up || trump >= 0 ? rank : 8 - rank) : -1;
  };
  const best = cards.reduce((most, card, at) => (strength(card) > strength(cards[most]!) ? at : most), 0);
  const due = trick[best]!.seat;
  if (body["seat"] !== due) throw new Unusable("verify.trick_taker", { seq, seat: body["seat"], due });
  if (game?.counted !== true) return;
  const down = contract.endsWith("undenufe");
  const worth = ({ suit, rank }: { suit: number; rank: number }): number => {
    if (trump >= 0) return suit === trump && rank === 5 ? 20 : suit === trump && rank === 3 ? 14 : WORTH[rank]!;
    return rank === 2 ? 8 : rank === 0 ? (down ? 11 : 0) : rank === 8 ? (down ? 0 : 11) : WORTH[rank]!;
  };
  const points = cards.reduce((sum, card) => sum + worth(card), number === all ? 5 : 0);
  if (body["points"] !== points) throw new Unusable("verify.trick_points", { seq, points, told: body["points"] });
}

/** The events that count, without those that were taken back. */
export function standingEvents(stream: Stream): StoredEvent[] {
  const left: StoredEvent[] = [];
  for (const event of stream.events) {
    if (event.type !== "taken_back") left.push(event);
    else while (left.length && left.at(-1)!.seq >= whole(event.body["to"])) left.pop();
  }
  return left;
}

const points = (value: Json | undefined): number[] => list(value ?? []).map((one) => (one === null ? 0 : whole(one)));

/** Every total is the one before and what came to it. Throws Unusable. */
function checkTotals(stream: Stream, start: JsonObject): void {
  let totals = new Array<number>(whole(start["sides"], 1)).fill(0);
  let ruled = false;
  const counted = new Map<Json | undefined, number[]>();
  const moved = (sums: readonly number[], before: readonly number[], after: readonly number[]): number[] =>
    sums.map((sum, side) => sum - (before[side] ?? 0) + (after[side] ?? 0));
  for (const { type, body, seq } of standingEvents(stream)) {
    if (!Object.hasOwn(body, "totals")) continue;
    const told = points(body["totals"]);
    const gained = points(body["scores"]);
    let wanted: number[] = totals;
    if (type === "deal_scored" || type === "result_entered") {
      wanted = moved(totals, [], gained);
      counted.set(body["deal"], gained);
    } else if (type === "result_corrected") {
      for (const one of [body, ...(list(body["rescored"] ?? []) as JsonObject[])]) {
        wanted = moved(wanted, counted.get(one["deal"]) ?? gained, points(one["scores"]));
        counted.set(one["deal"], points(one["scores"]));
      }
      if (ruled) wanted = told;
    } else if (type === "ruling_made") {
      ruled = true;
      wanted = told;
      if ((body["totals_before"] ?? null) !== null && !same(body["totals_before"], totals)) throw new Unusable("verify.ruling_totals", { seq });
      const known = (body["scores_before"] ?? null) !== null && body["scores"] !== null;
      if (body["kind"] !== "penalty" && !Object.hasOwn(body, "replaces") && known) wanted = moved(totals, points(body["scores_before"]), gained);
    }
    if (!same(told, wanted)) throw new Unusable("verify.totals", { seq, told: told.join(" : "), wanted: wanted.join(" : ") });
    totals = told;
  }
}

const byOffice = (body: JsonObject): boolean => (body["reason"] ?? null) !== null;

/** A game that was broken off goes on after it is resumed, and not before; of what is over, a result is put right with a reason. Throws Unusable. */
function checkBreaks(stream: Stream): void {
  let [ended, broken] = [false, false];
  for (const { type, body, seq } of standingEvents(stream)) {
    if (type === "game_resumed" && !broken) throw new Unusable("verify.resumed", { seq });
    if ((ended || broken) && (type === "game_closed" || PLAY.includes(type))) throw new Unusable("verify.went_on", { seq });
    if (type === "result_corrected") {
      if ((ended || broken) && !byOffice(body)) throw new Unusable("verify.no_reason", { seq });
      if (ended !== ((body["winners"] ?? null) !== null)) throw new Unusable("verify.no_winners", { seq });
    }
    broken = type === "game_closed" || (broken && type !== "game_resumed");
    ended ||= type === "game_ended";
  }
}

/**
 * A sheet that is over was signed deal by deal by another side than wrote it, or by what was agreed to stand for one: a
 * second typing of the same figures, paper, silence; or written by an official who gives a reason. Throws Unusable.
 */
function checkSigned(stream: Stream, agreed: Json): void {
  const waiting = new Map<Json | undefined, JsonObject>();
  for (const { type, body, seq } of standingEvents(stream)) {
    if (type === "result_entered" || type === "result_corrected") {
      const stays = byOffice(body) && !(type === "result_corrected" && waiting.has(body["deal"]));
      if (!stays) waiting.set(body["deal"], body);
    } else if (type === "result_confirmed") {
      const written = waiting.get(body["deal"]);
      const by = body["by"] ?? null;
      if (written === undefined || (body["side"] !== null && (by !== null || written["side"] === body["side"]))) throw new Unusable("verify.signed_own", { seq });
      if (body["side"] === null && by !== agreed) throw new Unusable("verify.signed_by_nobody", { seq });
      const again = by === "second_typing" ? written["scores"]! : null;
      if (!same(body["scores"] ?? null, again)) throw new Unusable("verify.typed_otherwise", { seq });
      waiting.delete(body["deal"]);
    } else if (type === "game_ended" && waiting.size) throw new Unusable("verify.signed_not", { seq });
  }
}

const STOECK = 20;
const added = (value: Json | undefined): number => points(value).reduce((sum, one) => sum + one, 0);

/** Totals of a round are its card points, with the sweeps and Stöck that were counted. Throws Unusable. */
function checkWhole(stream: Stream, options: JsonObject): void {
  const deals = whole(options["deals"], 1);
  for (const { type, body, seq } of standingEvents(stream)) {
    if (type !== "result_entered" && type !== "result_corrected") continue;
    const [sweeps, stoecks] = [added(body["sweeps"]), added(body["stoecks"])];
    const worth = sweeps * whole(options["sweep_bonus"] ?? 0, 0) + stoecks * STOECK + added(body["melds"]);
    const right = body["deals"] === deals && body["deal"] === 1 && Math.max(sweeps, stoecks) <= deals;
    if (!right || added(body["card_points"]) !== 157 * deals || added(body["scores"]) !== 157 * deals + worth) throw new Unusable("verify.whole", { seq });
  }
}
