/** All deals as rows: contract and score of each side. */

import { h } from "../dom";
import { contractName, type Page, say, slotName } from "../page";
import { rulesOf } from "../table/rules";
import { figure, headOf, sidesOf } from "../slate/slate-view";
import type { DealRow, Table } from "../table/table";

/** The contract of a deal, with the joker of its slot. */
function contractOf(row: DealRow): string {
  const through = row.slot === null || slotName(row.slot) === contractName(row.contract) ? "" : `${slotName(row.slot)}: `;
  return row.annulled ? say("deals.annulled") : through + contractName(row.contract);
}

export function renderDeals(root: HTMLElement, page: Page, table: Table, onPick?: (deal: number) => void): void {
  if (table.rows.length === 0) {
    root.replaceChildren(h("p", { class: "muted" }, say("deals.none")));
    return;
  }
  const points = rulesOf(page).slate !== "points";
  const rows = table.rows.map((row) =>
    h(
      "tr",
      {},
      h("td", {}, onPick ? h("button", { type: "button", class: "to-moment", click: () => onPick(row.deal) }, String(row.deal)) : String(row.deal)),
      h("td", {}, contractOf(row)),
      ...sidesOf(table).map((side) =>
        h("td", { class: row.annulled ? "num dropped" : "num" }, figure(row.scores[side]), points && h("small", { class: "muted" }, ` (${figure(row.cardPoints[side])})`)),
      ),
    ),
  );
  root.replaceChildren(h("table", {}, h("thead", {}, headOf(page, table, say("deals.deal"), say("deals.contract"))), h("tbody", {}, ...rows)));
}
