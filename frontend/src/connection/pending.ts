/**
 * Unanswered commands of a transcript, and the cards tapped after them, stored on this device. A reopened page
 * continues them: in one window only, or each would tap the cards again.
 */

import type { Code } from "../table/cards";
import { SerialQueue } from "./serial-queue";
import { CommandQueue, type QueuedCommand } from "./outbox";
import { exclusively, outboxOf, remember, remembered } from "./device-storage";

const cardOf = ({ command }: QueuedCommand): (Code | null)[] => (command.cmd === "play" ? [command.card ?? null] : []);

export class PendingCommands {
  /** A card's player is known only when the card before it is recorded. */
  readonly taps: SerialQueue<Code | null>;
  readonly #queue: CommandQueue;
  /** Commands of this window, which are not resent. */
  readonly #own = new Set<string>();
  /** Whether this window continues. */
  #mine = false;
  /** Earlier taps wait until the table says whose turn it is. */
  #untilTold = false;

  constructor(
    private readonly game: string,
    begin: (card: Code | null) => void,
    private readonly send: (queued: QueuedCommand) => Promise<number>,
  ) {
    this.taps = new SerialQueue(begin, (waiting) => {
      if (this.#mine) remember("taps", game, waiting.length > 0 ? waiting : null);
    });
    this.#queue = new CommandQueue({
      load: () => localStorage.getItem(outboxOf(game)),
      save: (text) => localStorage.setItem(outboxOf(game), text),
    });
  }

  /** Resolves with the seq of the answer; the command is stored until then. */
  submit(queued: QueuedCommand): Promise<number> {
    this.#queue.add(queued);
    this.#own.add(queued.command_id);
    const answered = this.send(queued);
    const forget = (): void => this.#queue.remove(queued.command_id);
    void answered.then(forget, forget);
    return answered;
  }

  /** Unrecorded cards; `begun`: one that can still be taken back. */
  cards(begun: readonly (Code | null)[]): (Code | null)[] {
    return [...this.#queue.waiting.flatMap(cardOf), ...begun, ...this.taps.waiting];
  }

  tableIsThere(): void {
    if (!this.#untilTold) return;
    this.#untilTold = false;
    this.taps.free();
  }

  /** Continue once no other window does: `again` sends a command, `isThere` tells whether the table has loaded. */
  goOn(page: { again(queued: QueuedCommand): void; isThere(): boolean; redraw(): void }): void {
    if (!("locks" in navigator)) return;
    void exclusively(`${outboxOf(this.game)}_goes_on`, () => {
      const cards = remembered<(Code | null)[]>("taps", this.game) ?? [];
      const sent = this.#queue.waiting.filter(({ command_id }) => !this.#own.has(command_id));
      this.#mine = true;
      for (const queued of sent) page.again(queued);
      if (cards.length > 0) {
        this.#untilTold = sent.flatMap(cardOf).length === 0;
        this.taps.hold();
        for (const card of cards) this.taps.put(card);
        if (page.isThere()) this.tableIsThere();
      }
      page.redraw();
      return new Promise(() => undefined); // the lock is held as long as this window is open
    });
  }
}
