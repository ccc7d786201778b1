/** One result as it is typed: the last side fills itself in, a sweep is one tap. Pure. */

export interface Entry {
  points: readonly string[];
  /** The side that filled itself in. */
  auto: number | null;
  sweep: number | null;
  stoeck: number | null;
  /** Points of melds per side, and what the deal counts where that does not follow from its points. */
  melds: readonly string[];
  scores: readonly string[];
}

/** What a sheet of a game asks for. */
export interface Asked {
  /** The sum of the points of a deal, and whether all of them count for somebody. */
  expected: number;
  all: boolean;
  /** Whether what the deal counts must be written as well. */
  scores: boolean;
}

export const DEAL_SUM = 157;
export const SCHIEBER_LIKE: Asked = { expected: DEAL_SUM, all: true, scores: false };

export function blank(sides: number): Entry {
  const empty = Array<string>(sides).fill("");
  return { points: empty, auto: null, sweep: null, stoeck: null, melds: empty, scores: empty };
}

export const BLANK: Entry = blank(2);

const number = (text: string | undefined): number | null => (/^\d{1,3}$/.test((text ?? "").trim()) ? Number(text) : null);
const integer = (text: string): number | null => (/^[-−]?\d{1,5}$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : null);
const put = (list: readonly string[], index: number, text: string): string[] => list.map((old, at) => (at === index ? text : old));

/**
 * Typing into one side. The last other one follows while it is empty or filled itself in before; once people have typed
 * all of them, nothing follows any more, so that a wrong sheet can be seen as wrong.
 */
export function typed(entry: Entry, side: number, text: string, { expected, all }: Asked = SCHIEBER_LIKE): Entry {
  let points = put(entry.points, side, text);
  let auto = entry.auto === side ? null : entry.auto;
  const empty = points.flatMap((other, at) => (at !== side && other.trim() === "" ? [at] : []));
  const follower = auto ?? (empty.length === 1 ? empty[0] : undefined);
  if (all && follower !== undefined) {
    const others = points.map((other, at) => (at === follower ? 0 : number(other)));
    const rest = others.reduce<number | null>((left, other) => (left === null || other === null ? null : left - other), expected);
    const known = rest !== null && rest >= 0;
    points = put(points, follower, known ? String(rest) : "");
    auto = known ? follower : null;
  }
  return { ...entry, points, auto, sweep: null };
}

/** All tricks by one side, or not after all. */
export function swept(entry: Entry, side: number, { expected }: Asked = SCHIEBER_LIKE): Entry {
  if (entry.sweep === side) return { ...entry, sweep: null, points: entry.points.map(() => ""), auto: null };
  return { ...entry, points: entry.points.map((_, at) => (at === side ? String(expected) : "0")), auto: null, sweep: side };
}

export function stoeckBy(entry: Entry, side: number): Entry {
  return { ...entry, stoeck: entry.stoeck === side ? null : side };
}

/** Melds, or what the deal counts, of one side. */
export function noted(entry: Entry, what: "melds" | "scores", side: number, text: string): Entry {
  return { ...entry, [what]: put(entry[what], side, text) };
}

/** null: not complete yet. */
export function sum(entry: Entry): number | null {
  return entry.points.map(number).reduce((total, value) => (total === null || value === null ? null : total + value), 0 as number | null);
}

export function sumIsRight(entry: Entry, { expected, all }: Asked = SCHIEBER_LIKE): boolean {
  const total = sum(entry);
  return total !== null && (all ? total === expected : total <= expected);
}

export function complete(entry: Entry, asked: Asked = SCHIEBER_LIKE): boolean {
  const counted = !asked.scores || entry.scores.every((text) => integer(text) !== null);
  return sumIsRight(entry, asked) && counted && entry.melds.every((text) => text.trim() === "" || number(text) !== null);
}

/** The result as the log takes it. */
export function resultOf(entry: Entry, asked: Asked): Record<string, unknown> {
  const melds = entry.melds.map((text) => number(text) ?? 0);
  return {
    card_points: entry.points.map(Number),
    ...(entry.sweep === null ? {} : { sweep: entry.sweep }),
    ...(entry.stoeck === null ? {} : { stoeck: entry.stoeck }),
    ...(melds.some((points) => points > 0) ? { melds } : {}),
    ...(asked.scores ? { scores: entry.scores.map(integer) } : {}),
  };
}
