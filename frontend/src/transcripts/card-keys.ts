/** Cards by two keys: the letter of the suit as in the notation, then that of the rank; 0, 1 and b are the ten. Pure. */

import { type Code, isCode, SUITS } from "../table/cards";

const RANK_OF: Readonly<Record<string, string>> = { "0": "10", "1": "10", u: "J", o: "Q", b: "10" };

export class CardKeys {
  /** The suit that waits for its rank. */
  suit: string | null = null;

  /** Add a key. Returns the card once it is complete; `"?"` for an unknown card; null otherwise. */
  press(key: string): Code | "?" | null {
    const letter = key.toLowerCase();
    if (key === "?") return this.#done("?");
    const rank = RANK_OF[letter] ?? letter.toUpperCase();
    const card = (this.suit ?? "") + rank;
    if (isCode(card)) return this.#done(card);
    this.suit = (SUITS as readonly string[]).includes(letter.toUpperCase()) ? letter.toUpperCase() : null;
    return null;
  }

  #done(card: Code | "?"): Code | "?" {
    this.suit = null;
    return card;
  }
}
