/** What a draw of seats started from, as the log has it. docs/developers/seats.md. */

import { Unusable, fields, list, text, whole, type Json } from "../file/bytes";

export type Pair = readonly [number, number];
/** Players by chair; -1 is somebody who is not drawn now. */
export type Table = readonly number[];

export interface Past {
  tables: Table[];
  byes: number[];
}

const KEYS = ["players", "rounds", "format", "table_size", "past", "fixed_pairs", "never_partner", "never_meet", "sit_out_first"];
/** What draws of the second version say besides. */
const SINCE = ["threes", "sit_out_last"];

export class Problem {
  readonly size: number;
  readonly players: number;
  readonly rounds: number;
  readonly past: Past[];
  readonly fixedPairs: Pair[];
  readonly neverPartner: Pair[];
  readonly neverMeet: Pair[];
  readonly firstOut: number[];
  /** Who sits out only where it cannot be helped. */
  readonly lastOut: ReadonlySet<number>;
  /** How many tables have three seats instead of four. */
  readonly threes: number;
  /** Whether partners exist at these tables. */
  readonly inPairs: boolean;
  /** How many sit at each table, those of three last. */
  readonly sizes: readonly number[];
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
    readonly version: string,
  ) {
    const isFirst = version === "1";
    const read = fields(told, isFirst ? KEYS : [...KEYS, ...SINCE]);
    this.threes = isFirst ? 0 : whole(read["threes"], 0);
    this.size = whole(read["table_size"]);
    this.players = whole(read["players"]);
    this.rounds = whole(read["rounds"]);
    const format = text(read["format"]);
    const sized = this.size >= 2 && this.size <= 4 && this.players >= (this.threes ? 3 : this.size) && this.players <= 5_000;
    if (!sized || this.rounds < 1 || this.rounds > 100 || !["pairs", "solo"].includes(format)) throw new Unusable("verify.fields");
    this.past = list(read["past"]).map((one) => {
      const round = fields(one, ["tables", "byes"]);
      return { tables: list(round["tables"]).map((table) => this.#numbers(table)), byes: this.#numbers(round["byes"]) };
    });
    const pairs = (key: string): Pair[] =>
      list(read[key]).map((pair) => {
        const [a, b] = this.#numbers(pair);
        return [a!, b!] as const;
      });
    this.fixedPairs = pairs("fixed_pairs");
    this.neverPartner = pairs("never_partner");
    this.neverMeet = pairs("never_meet");
    this.firstOut = this.#numbers(read["sit_out_first"]);
    this.lastOut = new Set(isFirst ? [] : this.#numbers(read["sit_out_last"]));
    const three = this.size === 4 && this.fixedPairs.length === 0 && 3 * this.threes <= this.players;
    if (this.threes && !three) throw new Unusable("verify.fields");
    this.inPairs = format === "pairs" && this.size === 4;
    const full = Math.floor((this.players - 3 * this.threes) / this.size);
    this.sizes = [...new Array<number>(full).fill(this.size), ...new Array<number>(this.threes).fill(3)];
    this.seated = full * this.size + 3 * this.threes;
    this.out = this.players - this.seated;
    for (const [a, b] of this.fixedPairs) this.fixed.set(a, b).set(b, a);
    this.free = this.past.length === 0 && this.out === 0 && this.threes === 0 && this.wishes === 0;
  }

  /** How many wishes of the director there were. */
  get wishes(): number {
    return this.fixedPairs.length + this.neverPartner.length + this.neverMeet.length;
  }

  /** Players by position, taken apart into tables. */
  inTables(positions: readonly number[]): number[][] {
    let at = 0;
    return this.sizes.map((size) => positions.slice(at, (at += size)));
  }

  #numbers(value: Json | undefined): number[] {
    return list(value).map((player) => {
      const number = whole(player, -1);
      if (number >= this.players) throw new Unusable("verify.fields");
      return number;
    });
  }
}
