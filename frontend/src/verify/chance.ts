/** From the seed of a round to decks and draws. docs/developers/dealing.md. */

import { concat, eight, prefixed, utf8 } from "./file/bytes";
import { hmacSha256, sha256 } from "./file/sha2";

const RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"];
export const DECK: readonly string[] = [..."DHSC"].flatMap((suit) => RANKS.map((rank) => suit + rank));

export class Chance {
  readonly #mixed: Uint8Array;

  constructor(
    private readonly seed: Uint8Array,
    entropy: readonly string[],
  ) {
    this.#mixed = sha256(prefixed(...entropy.map(utf8)));
  }

  *bytes(purpose: string, number: number, deal: number): Generator<number, never> {
    const context = prefixed(utf8("puur/draw/1"), utf8(purpose), this.#mixed, eight(number), eight(deal));
    for (let block = 0; ; block++) yield* hmacSha256(this.seed, concat(context, prefixed(eight(block))));
  }

  /** Shuffled packs, one after the other. */
  *packs(purpose: string, number: number, deal = 0): Generator<string[], never> {
    const stream = this.bytes(purpose, number, deal);
    for (;;) {
      const pack = [...DECK];
      for (let i = 35; i > 0; i--) {
        const limit = 256 - (256 % (i + 1));
        let byte = stream.next().value;
        while (byte >= limit) byte = stream.next().value;
        const j = byte % (i + 1);
        [pack[i], pack[j]] = [pack[j]!, pack[i]!];
      }
      yield pack;
    }
  }

  pack(purpose: string, number: number, deal: number): string[] {
    return this.packs(purpose, number, deal).next().value;
  }

  /**
   * Rounds of drawn cards by seat, null for a seat already out; the forehand; and, if partners were drawn, whether
   * the opponents change chairs, so that the higher draw deals.
   */
  forehand(number: number, seats: number, partners: boolean): { cards: (string | null)[][]; forehand: number; exchanged: boolean | null } {
    const packs = this.packs("forehand", number);
    const cards: (string | null)[][] = [];
    const rank = (seat: number, row = cards.at(-1)!): number => DECK.indexOf(row[seat]!) % 9;
    const draw = (drawing: number[]): void => {
      const pack = packs.next().value;
      const drawn = new Map(drawing.map((seat, n) => [seat, pack[n]!]));
      cards.push(Array.from({ length: seats }, (_, seat) => drawn.get(seat) ?? null));
    };
    let drawing = Array.from({ length: seats }, (_, seat) => seat);
    while (drawing.length > 1) {
      draw(drawing);
      const lowest = Math.min(...drawing.map((seat) => rank(seat)));
      drawing = drawing.filter((seat) => rank(seat) === lowest);
    }
    const forehand = drawing[0]!;
    if (!partners || seats !== 4) return { cards, forehand, exchanged: null };
    const [before, after] = [(forehand + seats - 1) % seats, (forehand + 1) % seats] as const;
    let last = cards.filter((row) => row[before] !== null && row[after] !== null).at(-1)!;
    while (rank(before, last) === rank(after, last)) {
      draw([before, after]);
      last = cards.at(-1)!;
    }
    return { cards, forehand, exchanged: rank(after, last) > rank(before, last) };
  }

  /** The first bytes of a purpose, for draws in other modules. */
  first(count: number, purpose: string, number: number): Uint8Array {
    const stream = this.bytes(purpose, number, 0);
    return Uint8Array.from({ length: count }, () => stream.next().value);
  }
}

/** Cards by seat and the rest, dealt in packets of three to `first` first. */
export function dealt(deck: readonly string[], seats: number, size: number, first: number): { shares: string[][]; rest: string[] } {
  const shares: string[][] = Array.from({ length: seats }, () => []);
  let at = 0;
  while (at < seats * size) {
    for (let turn = 0; turn < seats; turn++) {
      const share = shares[(first + turn) % seats]!;
      const packet = Math.min(3, size - share.length);
      share.push(...deck.slice(at, at + packet));
      at += packet;
    }
  }
  return { shares, rest: deck.slice(at) };
}
