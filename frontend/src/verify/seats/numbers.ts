/** Numbers of 32 bits from the seed of a draw, for one use of it. docs/developers/seats.md. */

import { concat, eight, utf8 } from "../file/bytes";
import { hmacSha256 } from "../file/sha2";

export class Numbers {
  readonly #prefix: Uint8Array;
  #block = 0;
  #waiting: number[] = [];

  constructor(
    private readonly seed: Uint8Array,
    use: string,
  ) {
    this.#prefix = utf8(`${use}\0`);
  }

  /** The next 256, in order. */
  words(): number[] {
    const found: number[] = [];
    for (const end = this.#block + 32; this.#block < end; this.#block++) {
      const view = new DataView(hmacSha256(this.seed, concat(this.#prefix, eight(this.#block))).buffer);
      for (let at = 0; at < 32; at += 4) found.push(view.getUint32(at));
    }
    return found;
  }

  below(bound: number): number {
    for (;;) {
      if (this.#waiting.length === 0) this.#waiting = this.words().reverse();
      const word = this.#waiting.pop()!;
      if (word < 2 ** 32 - (2 ** 32 % bound)) return word % bound;
    }
  }

  /** Fisher–Yates, in place. */
  shuffle(items: unknown[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
  }
}
