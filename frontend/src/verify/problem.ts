/** What a draw of seats started from, as the log has it. docs/developers/seats.md. */

import { Unusable, fields, list, text, whole, type Json } from "./bytes";

export type Pair = readonly [number, number];
/** Players by chair; -1 is somebody who is not drawn now. */
export type Table = readonly number[];

export interface Past {
  tables: Table[];
  byes: number[];
}

const KEYS = ["players", "rounds", "format", "table_size", "past", "fixed_pairs", "never_partner", "never_meet", "sit_out_first"];

export class Problem {
  readonly size: number;
  readonly players: number;
  readonly rounds: number;
  readonly past: Past[];
  readonly fixedPairs: Pair[];
  readonly neverPartner: Pair[];
  readonly neverMeet: Pair[];
  readonly firstOut: number[];
  /** Whether partners exist at these tables. */
  readonly inPairs: boolean;
  readonly tables: number;
  /** How many sit at tables, and how many sit out. */
  readonly seated: number;
  readonly out: number;
  /** Player → the partner who is fixed. */
  readonly fixed = new Map<number, number>();
  /** Nothing was played, nobody sits out, nothing is wished for. */
  readonly free: boolean;

  constructor(
    told: Json | undefined,
    readonly seed: Uint8Array,
  ) {
    const read = fields(told, KEYS);
    this.size = whole(read["table_size"]);
    this.players = whole(read["players"]);
    this.rounds = whole(read["rounds"]);
    const format = text(read["format"]);
    const sized = this.size >= 2 && this.size <= 4 && this.players >= this.size && this.players <= 5_000;
    if (!sized || this.rounds < 1 || this.rounds > 100 || !["pairs", "solo"].includes(format)) throw new Unusable("verify.fields");
    this.past = list(read["past"]).map((one) => {
      const round = fields(one, ["tables", "byes"]);
      return { tables: list(round["tables"]).map((table) => this.numbers(table)), byes: this.numbers(round["byes"]) };
    });
    const pairs = (key: string): Pair[] =>
      list(read[key]).map((pair) => {
        const [a, b] = this.numbers(pair);
        return [a!, b!] as const;
      });
    this.fixedPairs = pairs("fixed_pairs");
    this.neverPartner = pairs("never_partner");
    this.neverMeet = pairs("never_meet");
    this.firstOut = this.numbers(read["sit_out_first"]);
    this.inPairs = format === "pairs" && this.size === 4;
    this.out = this.players % this.size;
    this.tables = (this.players - this.out) / this.size;
    this.seated = this.players - this.out;
    for (const [a, b] of this.fixedPairs) this.fixed.set(a, b).set(b, a);
    this.free = this.past.length === 0 && this.out === 0 && this.wishes === 0;
  }

  /** How many wishes of the director there were. */
  get wishes(): number {
    return this.fixedPairs.length + this.neverPartner.length + this.neverMeet.length;
  }

  private numbers(value: Json | undefined): number[] {
    return list(value).map((player) => {
      const number = whole(player, -1);
      if (number >= this.players) throw new Unusable("verify.fields");
      return number;
    });
  }
}
