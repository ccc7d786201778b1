/** What the totals of a round have to add up to. Pure. */

export interface Whole {
  /** Points of the cards of all deals. */
  whole: number;
  sweep: number;
  stoeck: number;
  /** Melds count. */
  melds: boolean;
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
export const onlyCards = ({ sweep, stoeck, melds }: Whole): boolean => sweep === 0 && stoeck === 0 && !melds;

/** Counts as they are sent: null where none was typed, else nought for who has none. */
export const counted = (values: readonly (number | null)[]): number[] | null => (values.every((value) => value === null) ? null : values.map((value) => value ?? 0));
