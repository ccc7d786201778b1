/** One result as it is typed: the other side fills itself in, a sweep is one tap. Pure. */

export interface Entry {
  points: [string, string];
  /** The side that filled itself in. */
  auto: 0 | 1 | null;
  sweep: number | null;
  stoeck: number | null;
}

export const DEAL_SUM = 157;
export const BLANK: Entry = { points: ["", ""], auto: null, sweep: null, stoeck: null };

const number = (text: string): number | null => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : null);

/**
 * Typing into one side. The other follows while it is empty or filled itself in before; once a person has typed both,
 * nothing follows any more, so that a wrong sheet can be seen as wrong.
 */
export function typed(entry: Entry, side: 0 | 1, text: string): Entry {
  const other = side === 0 ? 1 : 0;
  const points: [string, string] = [...entry.points];
  points[side] = text;
  const follows = entry.auto === other || points[other].trim() === "";
  const value = number(text);
  let auto = entry.auto === side ? null : entry.auto;
  if (follows && value !== null && value <= DEAL_SUM) {
    points[other] = String(DEAL_SUM - value);
    auto = other;
  } else if (follows) {
    points[other] = "";
    auto = null;
  }
  return { ...entry, points, auto, sweep: null };
}

/** All tricks by one side, or not after all. */
export function swept(entry: Entry, side: 0 | 1): Entry {
  if (entry.sweep === side) return { ...entry, sweep: null, points: ["", ""], auto: null };
  const points: [string, string] = side === 0 ? [String(DEAL_SUM), "0"] : ["0", String(DEAL_SUM)];
  return { ...entry, points, auto: null, sweep: side };
}

export function stoeckBy(entry: Entry, side: 0 | 1): Entry {
  return { ...entry, stoeck: entry.stoeck === side ? null : side };
}

/** null: not complete yet. */
export function sum(entry: Entry): number | null {
  const [a, b] = entry.points.map(number) as [number | null, number | null];
  return a === null || b === null ? null : a + b;
}

export function complete(entry: Entry): boolean {
  return sum(entry) === DEAL_SUM;
}
