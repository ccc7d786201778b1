/** What the totals of a round have to add up to. Pure. */

export interface Whole {
  /** Points of the cards of all deals. */
  whole: number;
  sweep: number;
  stoeck: number;
  /** Melds count. */
  melds: boolean;
  deals: number;
  /** The least and the most that a side can have, where each side's points are its own and no sum checks them. */
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

/** Whether nothing counts beside the cards, so that one side's points give the other's. */
export const onlyCards = ({ sweep, stoeck, melds, bounds }: Whole): boolean => sweep === 0 && stoeck === 0 && !melds && bounds === null;

/** More points a deal than these are rather a wrong digit: who guesses blindly is off by less. */
const HARDLY = 50;

/** The first side whose points are hardly possible, though they may be right; -1 where there is none. */
export const unlikely = (points: readonly (number | null)[], { bounds, deals }: Whole): number =>
  bounds === null ? -1 : points.findIndex((value) => (value ?? 0) > HARDLY * deals);

/** Whether somebody else has stored other points than those that are typed here. */
export const differs = (typed: readonly (number | null)[], stored: readonly number[]): boolean => typed.some((value, side) => value !== null && value !== stored[side]);

/** Counts as they are sent: null where none was typed, else nought for who has none. */
export const counted = (values: readonly (number | null)[]): number[] | null => (values.every((value) => value === null) ? null : values.map((value) => value ?? 0));
