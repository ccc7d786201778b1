/** How often one part of a page is asked for: as often as it says, more seldom where nothing changes, and not
 * before a server that has too much to do has said. */

export const ENOUGH = 3;
/** Answers in a row without anything new, until it is asked more seldom. */
const SLOWER = 1.5;
export const SLOWEST = 4;
/** Times the pause that the page says. */
const LONGEST_WISH = 600_000;
/** Milliseconds; a server may not silence a page for longer. */

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** Of an `hx-trigger`, in milliseconds; null: it is not asked for again and again. */
export function pauseOf(trigger: string | null): number | null {
  const [, number, unit] = /\bevery\s+(\d+)(ms|s|m)?/.exec(trigger ?? "") ?? [];
  return number === undefined ? null : Number(number) * (UNITS[unit ?? "ms"] as number);
}

export class Backoff {
  #quiet = 0;
  #asked = -Infinity;
  #notBefore = -Infinity;

  /** `steady`: never more seldom, because somebody may be called here. */
  constructor(
    private readonly pause: number,
    private readonly steady = false,
  ) {}

  /** Times the pause. */
  get stretch(): number {
    return this.steady || this.#quiet < ENOUGH ? 1 : Math.min(SLOWEST, SLOWER ** (this.#quiet - ENOUGH + 1));
  }

  /** Whether a beat of the page's clock is one to ask at. */
  isTime(now: number): boolean {
    const due = this.stretch === 1 ? -Infinity : this.#asked + this.stretch * this.pause;
    return now >= Math.max(due, this.#notBefore);
  }

  /** Whether what is shown is older than it should be. */
  isLate(now: number): boolean {
    return now >= Math.max(this.#asked + this.pause, this.#notBefore);
  }

  asks(now: number): void {
    this.#asked = now;
  }

  answered(status: number, retryAfter: string | null, now: number): void {
    this.#quiet = status === 200 ? 0 : this.#quiet + 1;
    if (status === 429 || status === 503) this.#notBefore = now + wish(retryAfter, now);
  }

  /** Somebody is there and looks. */
  stirred(): void {
    this.#quiet = 0;
  }
}

/** Retry-After: seconds, or a date. */
function wish(said: string | null, now: number): number {
  const text = said?.trim() ?? "";
  const wished = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wished) ? 0 : Math.min(LONGEST_WISH, Math.max(0, wished));
}
