/** The best card's gain in each trick of a finished deal: requested until the server has computed it. */

import { type Page, say, tokenNow } from "../page";

export interface CardGain {
  /** The event of the played card. */
  seq: number;
  seat: number;
  card: string;
  best: string;
  gain: number;
}

interface Told {
  state: "ready" | "working" | "full";
  gains: CardGain[];
}

const RETRY_INTERVAL_MS = 2500;
/** The maximum number of requests; the next reader gets the result. */
const MAX_REQUESTS = 20;

export class Worth {
  readonly #known = new Map<number, readonly CardGain[]>();
  readonly #asked = new Set<number>();

  constructor(
    private readonly page: Page,
    private readonly onTold: () => void,
  ) {}

  /** For a shown deal with open hands. */
  ask(deal: number): void {
    if (!this.page.worth || this.#asked.has(deal)) return;
    this.#asked.add(deal);
    void this.#read(deal, MAX_REQUESTS);
  }

  /** The largest gain in a trick; null: none, or unknown. */
  of(deal: number, plays: readonly { seq: number }[]): CardGain | null {
    const here = (this.#known.get(deal) ?? []).filter((gain) => plays.some((play) => play.seq === gain.seq));
    return here.reduce<CardGain | null>((best, gain) => (best === null || gain.gain > best.gain ? gain : best), null);
  }

  async #read(deal: number, left: number): Promise<void> {
    const told = await this.#once(deal).catch(() => null);
    if (told?.state === "ready") {
      this.#known.set(deal, told.gains);
      this.onTold();
    } else if (told?.state === "working" && left > 1) {
      window.setTimeout(() => void this.#read(deal, left - 1), RETRY_INTERVAL_MS);
    }
  }

  async #once(deal: number): Promise<Told | null> {
    const headers = { Accept: "application/json", "X-CSRFToken": tokenNow(this.page) };
    const answer = await fetch(this.page.worth ?? "", { method: "POST", headers, body: new URLSearchParams({ deal: String(deal) }) });
    return answer.ok ? ((await answer.json()) as Told) : null;
  }
}

/** The gain in words, with the player's name and the note that it is an estimate. */
export function sayGain(page: Pick<Page, "names">, gain: CardGain, cardName: (card: string) => string): string {
  return say("timeline.gain", { name: page.names[gain.seat], card: cardName(gain.card), best: cardName(gain.best), points: gain.gain });
}
