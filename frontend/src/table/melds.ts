/** Melds in a hand. They are a proposal; the server decides. */

import { type Code, isCode, RANKS, SUITS } from "./cards";
import { sideOf, type Table } from "./table";

export interface Meld {
  cards: Code[];
  points: number;
}

/** Sequences of three or more at full length, and four of a kind. The most valuable first. */
export function meldsIn(hand: readonly Code[], options: Readonly<Record<string, unknown>> = {}): Meld[] {
  const held = new Set(hand);
  const melds: Meld[] = [];
  for (const suit of SUITS) {
    let run: Code[] = [];
    for (const rank of [...RANKS, "end"]) {
      const code = `${suit}${rank}`;
      if (isCode(code) && held.has(code)) {
        run.push(code);
        continue;
      }
      if (run.length >= 3) melds.push({ cards: run, points: runPoints(run.length) });
      run = [];
    }
  }
  for (const rank of RANKS) {
    if (options["low_quads"] === false && RANKS.indexOf(rank) < RANKS.indexOf("9")) continue;
    const four = SUITS.map((suit) => `${suit}${rank}` as const);
    if (four.every((code) => held.has(code))) melds.push({ cards: four, points: quadPoints(rank) });
  }
  return melds.sort((a, b) => b.points - a.points || b.cards.length - a.cards.length);
}

function runPoints(length: number): number {
  if (length === 3) return 20;
  return length === 4 ? 50 : 100 + (length - 5) * 50;
}

function quadPoints(rank: string): number {
  if (rank === "J") return 200;
  return rank === "9" ? 150 : 100;
}

/** The declared melds of a seat while they may count: after the comparison, those of the scoring side. */
export function mayCount(table: Table, seat: number): Table["declared"] {
  const [scored] = table.meldPoints;
  return scored === undefined || sideOf(table, seat) === scored.side ? table.declared.filter((one) => one.seat === seat) : [];
}
