/** The polling interval of a part: as declared, longer without changes, and no earlier than an overloaded server allows. */

/** Unchanged answers in a row until the interval grows. */
export const ENOUGH = 3;
const SLOWER = 1.5;
/** The maximum factor of the interval. */
export const SLOWEST = 4;
/** Milliseconds: the limit of a server's Retry-After. */
const LONGEST_WISH = 600_000;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** The interval of an `hx-trigger` in milliseconds; null: it does not poll. */
export function pauseOf(trigger: string | null): number | null {
  const [, number, unit] = /\bevery\s+(\d+)(ms|s|m)?/.exec(trigger ?? "") ?? [];
  return number === undefined ? null : Number(number) * (UNITS[unit ?? "ms"] as number);
}

export class Backoff {
  #quiet = 0;
  #asked = -Infinity;
  #notBefore = -Infinity;

  /** `steady`: a constant interval, for parts that call somebody. */
  constructor(
    private readonly pause: number,
    private readonly steady = false,
  ) {}

  /** The factor of the interval. */
  get stretch(): number {
    return this.steady || this.#quiet < ENOUGH ? 1 : Math.min(SLOWEST, SLOWER ** (this.#quiet - ENOUGH + 1));
  }

  /** Whether to ask at this tick of the page's clock. */
  isTime(now: number): boolean {
    const due = this.stretch === 1 ? -Infinity : this.#asked + this.stretch * this.pause;
    return now >= Math.max(due, this.#notBefore);
  }

  /** Whether the shown content is overdue. */
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

  /** The reader is active. */
  stirred(): void {
    this.#quiet = 0;
  }
}

/** Parse Retry-After: seconds, or a date. */
function wish(said: string | null, now: number): number {
  const text = said?.trim() ?? "";
  const wished = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wished) ? 0 : Math.min(LONGEST_WISH, Math.max(0, wished));
}
