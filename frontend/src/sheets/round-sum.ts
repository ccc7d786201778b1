/** The required sum of a round's totals. Pure. */

export interface Whole {
  /** Points of the cards of all deals. */
  whole: number;
  sweep: number;
  stoeck: number;
  /** Melds count. */
  melds: boolean;
  deals: number;
  /** The range of a side's points, where sides are independent and no sum checks them. */
  bounds: [number, number] | null;
}

/** By side; null: not typed. */
export interface Figures {
  points: readonly (number | null)[];
  sweeps: readonly (number | null)[];
  stoecks: readonly (number | null)[];
  melds: readonly (number | null)[];
}

const total = (values: readonly (number | null)[]): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

export const expectedOf = (figures: Figures, told: Whole): number =>
  told.whole + told.sweep * total(figures.sweeps) + told.stoeck * total(figures.stoecks) + total(figures.melds);

/** Whether only cards count, so that one side's points give the other's. */
export const onlyCards = ({ sweep, stoeck, melds, bounds }: Whole): boolean => sweep === 0 && stoeck === 0 && !melds && bounds === null;

/** More points a deal than these are probably a typing error. */
const HARDLY = 50;

/** The first side with implausible points, which may be right; -1: none. */
export const unlikely = (points: readonly (number | null)[], { bounds, deals }: Whole): number =>
  bounds === null ? -1 : points.findIndex((value) => (value ?? 0) > HARDLY * deals);

/** Whether another person has stored other points than those typed here. */
export const differs = (typed: readonly (number | null)[], stored: readonly number[]): boolean => typed.some((value, side) => value !== null && value !== stored[side]);

/** Counts for the server: null if none was typed, else zero for empty sides. */
export const counted = (values: readonly (number | null)[]): number[] | null => (values.every((value) => value === null) ? null : values.map((value) => value ?? 0));
