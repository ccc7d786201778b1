/**
 * What was sent from a transcript and has no answer yet, and the cards tapped on top of it, lie on this device. Where the
 * page is opened again they go on: in one window only, or each would tap the cards again.
 */

import type { Code } from "../table/cards";
import { SerialQueue } from "./serial-queue";
import { type Letter, Letters } from "./outbox";
import { alone, outboxOf, remember, remembered } from "./remembered";

const cardOf = ({ command }: Letter): (Code | null)[] => (command.cmd === "play" ? [command.card ?? null] : []);

export class PendingCommands {
  /** Whose a card is shows only when the one before has been recorded. */
  readonly taps: SerialQueue<Code | null>;
  readonly #letters: Letters;
  /** What this window itself has sent: that is not to be sent again. */
  readonly #own = new Set<string>();
  /** Whether this is the window that goes on. */
  #mine = false;
  /** What was tapped before waits until the table tells whose turn it is. */
  #untilTold = false;

  constructor(
    private readonly game: string,
    begin: (card: Code | null) => void,
    private readonly send: (letter: Letter) => Promise<number>,
  ) {
    this.taps = new SerialQueue(begin, (waiting) => {
      if (this.#mine) remember("taps", game, waiting.length > 0 ? waiting : null);
    });
    this.#letters = new Letters({
      load: () => localStorage.getItem(outboxOf(game)),
      save: (text) => localStorage.setItem(outboxOf(game), text),
    });
  }

  /** Resolves with the seq of the answer; until there is one it is kept. */
  submit(letter: Letter): Promise<number> {
    this.#letters.add(letter);
    this.#own.add(letter.command_id);
    const answered = this.send(letter);
    const forget = (): void => this.#letters.remove(letter.command_id);
    void answered.then(forget, forget);
    return answered;
  }

  /** Cards that are not recorded; `begun`: one that can still be taken back. */
  cards(begun: readonly (Code | null)[]): (Code | null)[] {
    return [...this.#letters.waiting.flatMap(cardOf), ...begun, ...this.taps.waiting];
  }

  tableIsThere(): void {
    if (!this.#untilTold) return;
    this.#untilTold = false;
    this.taps.free();
  }

  /** Once no other window does: `again` sends a letter, `isThere` says whether the table has come. */
  goOn(page: { again(letter: Letter): void; isThere(): boolean; redraw(): void }): void {
    if (!("locks" in navigator)) return;
    void alone(`${outboxOf(this.game)}_goes_on`, () => {
      const cards = remembered<(Code | null)[]>("taps", this.game) ?? [];
      const sent = this.#letters.waiting.filter(({ command_id }) => !this.#own.has(command_id));
      this.#mine = true;
      for (const letter of sent) page.again(letter);
      if (cards.length > 0) {
        this.#untilTold = sent.flatMap(cardOf).length === 0;
        this.taps.hold();
        for (const card of cards) this.taps.put(card);
        if (page.isThere()) this.tableIsThere();
      }
      page.redraw();
      return new Promise(() => undefined); // as long as this window is there
    });
  }
}
