/** What stands beside the scores of a line on a sheet, in words. */

import { say, slotName } from "../page";
import type { SheetRow } from "../table/table";

export function marksOf(row: SheetRow): string[] {
  const there = (name: "sweep" | "stoeck"): boolean => row[name] !== null && row[name] !== undefined;
  const marks = [
    row.slot ? slotName(row.slot) : "",
    there("sweep") ? say("sheet.sweep") : "",
    there("stoeck") ? say("sheet.stoeck") : "",
    row.by_hand ? say("sheet.by_hand") : "",
    row.side === null ? say("sheet.by_desk") : "",
    ...counted(row),
  ];
  return marks.filter((mark) => mark !== "");
}

/** Sweeps and Stöck of the totals of a round, as they were counted by side. */
function counted(row: SheetRow): string[] {
  const told = (name: "sweeps" | "stoecks"): string => ((row[name] ?? []).some((count) => count > 0) ? `${say(`sheet.${name}`)} ${(row[name] ?? []).join(" : ")}` : "");
  return [told("sweeps"), told("stoecks")];
}
