/** The facts of a result beside its points, in words. */

import type { EnterResult } from "../generated/types";
import { contractName, difference, type Page, say, sideName, slotName } from "../page";
import type { Table } from "../table/table";

type Said = Omit<EnterResult, "cmd" | "seat" | "deal" | "reason" | "stoeck_points">;

/** The facts of a result, typed or on the sheet. */
export type Facts = { [Name in keyof Said]?: Said[Name] | undefined } & { stoeck_points?: number | null | undefined };

export function marksOf(page: Page, table: Table, facts: Facts): string[] {
  const side = (at: number): string => sideName(page, declaring(table, facts), at);
  const has = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;
  const several = (name: "melds" | "sweeps" | "stoecks" | "predictions"): string => ((facts[name] ?? []).some((count) => count > 0) ? `${say(`sheet.${name}`)} ${(facts[name] ?? []).join(" : ")}` : "");
  const marks = [
    has(facts.slot) ? slotName(facts.slot) : has(facts.contract) ? contractName(facts.contract) : "",
    has(facts.chooser) ? (page.names[facts.chooser] ?? "") : "",
    has(facts.bid) ? `${say("sheet.bid")} ${facts.bid}` : "",
    several("predictions"),
    facts.conceded === true ? say("sheet.conceded_by", { side: side(0) }) : "",
    has(facts.sweep) ? say("sheet.sweep_of", { side: side(facts.sweep) }) : "",
    has(facts.stoeck) ? say("sheet.stoeck_of", { side: side(facts.stoeck) }) + (has(facts.stoeck_points) ? ` ${difference(facts.stoeck_points)}` : "") : "",
    several("melds"),
    several("sweeps"),
    several("stoecks"),
    has(facts.first) ? say("sheet.first_of", { side: side(facts.first) }) : "",
  ];
  return marks.filter((mark) => mark !== "");
}

/** The sides, also by a result that is not on the sheet yet. */
function declaring(table: Table, facts: Facts): Table {
  const found = typeof facts.bid === "number" && typeof facts.chooser === "number";
  return found ? { ...table, declarer: facts.chooser ?? null } : table;
}
