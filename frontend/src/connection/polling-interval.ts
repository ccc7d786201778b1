/** The polling interval of a part: as declared, longer without changes, and no earlier than an overloaded server allows. */

/** Unchanged answers in a row until the interval grows. */
export const UNCHANGED_ANSWERS = 3;
const INTERVAL_GROWTH = 1.5;
/** The maximum factor of the interval. */
export const MAX_INTERVAL_FACTOR = 4;
/** Milliseconds: the limit of a server's Retry-After. */
const MAX_RETRY_AFTER_MS = 600_000;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** The interval of an `hx-trigger` in milliseconds; null: it does not poll. */
export function pauseOf(trigger: string | null): number | null {
  const [, number, unit] = /\bevery\s+(\d+)(ms|s|m)?/.exec(trigger ?? "") ?? [];
  return number === undefined ? null : Number(number) * (UNIT_MS[unit ?? "ms"] as number);
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
    return this.steady || this.#quiet < UNCHANGED_ANSWERS ? 1 : Math.min(MAX_INTERVAL_FACTOR, INTERVAL_GROWTH ** (this.#quiet - UNCHANGED_ANSWERS + 1));
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
  return Number.isNaN(wished) ? 0 : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, wished));
}
