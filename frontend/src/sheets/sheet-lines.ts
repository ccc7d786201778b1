/** The lines of a sheet as they count: entries, corrections, rulings and penalties. Their sum always equals the slate's totals. Pure. */

import type { SheetRow, Table } from "../table/table";

export interface SheetLine {
  row: SheetRow;
  /** The current score of the deal, by side. */
  scores: readonly (number | null)[];
  /** The ruling in force for it. */
  ruling: number | null;
  annulled: boolean;
  /** No signature is due: it is signed, or a referee has decided. */
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

/** The penalties in the totals, by side; null without any. */
export function penaltiesOf(table: Table): number[] | null {
  const rest = table.totals.map((total, side) => linesOf(table).reduce((left, line) => left - (line.scores[side] ?? 0), total));
  return rest.some((points) => points !== 0) ? rest : null;
}
