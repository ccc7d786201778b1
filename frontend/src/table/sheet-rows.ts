/** A sheet's line as a line of the slate. */

import type { DealRow, SheetRow } from "./table";

export function rowOfResult(row: SheetRow): DealRow {
  return {
    deal: row.deal,
    contract: row.contract ?? null,
    chooser: row.chooser ?? null,
    slot: row.slot ?? null,
    predictions: row.predictions ?? null,
    cardPoints: row.card_points,
    recorded: row.scores,
    scores: row.scores,
    totals: row.totals,
    annulled: false,
  };
}
