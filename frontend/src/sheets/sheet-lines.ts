/**
 * The lines of a sheet as they count: what was written, corrected and ruled, and the penalties. The lines add up to the
 * totals of the slate at all times. Pure.
 */

import type { SheetRow, Table } from "../table/table";

export interface SheetLine {
  row: SheetRow;
  /** What the deal counts now, by side. */
  scores: readonly (number | null)[];
  /** The ruling in force that says so. */
  ruling: number | null;
  annulled: boolean;
  /** Nobody is to sign it: it is signed, or a referee has decided. */
  stands: boolean;
}

export function linesOf(table: Table): SheetLine[] {
  return table.results.map((row) => {
    const counts = table.rows.find(({ deal }) => deal === row.deal);
    return {
      row,
      scores: counts?.scores ?? row.scores,
      ruling: counts?.ruling ?? null,
      annulled: counts?.annulled ?? false,
      stands: row.confirmed || counts?.stands === true,
    };
  });
}

/** What the totals have beside the deals: penalties, by side; null where there are none. */
export function penaltiesOf(table: Table): number[] | null {
  const rest = table.totals.map((total, side) => linesOf(table).reduce((left, line) => left - (line.scores[side] ?? 0), total));
  return rest.some((points) => points !== 0) ? rest : null;
}
