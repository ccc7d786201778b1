/**
 * The desk by keyboard: "/" searches, Enter takes the first one found, arrows walk the list, and in a line the marked
 * letter presses its button. Everything works by mouse and without this script as well.
 */

import { meaning, type Focus } from "./desk-keys";

const search = document.querySelector<HTMLInputElement>("[data-desk-search]");
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("#entry-rows .desk-row")];

function focusIn(target: EventTarget | null): Focus {
  if (target === search) return "search";
  if (!(target instanceof HTMLElement)) return "page";
  if (target.closest("input, select, textarea") !== null) return "text";
  return target.closest(".desk-row") === null ? "page" : "row";
}

function step(from: HTMLElement, by: number): void {
  const all = rows();
  const next = all[all.indexOf(from) + by];
  if (next !== undefined) next.focus();
  else if (by < 0) search?.focus();
}

function act(what: string, key: string, row: HTMLElement | null): boolean {
  switch (what) {
    case "search":
      search?.focus();
      search?.select();
      return true;
    case "first": {
      const button = rows()[0]?.querySelector<HTMLElement>("[data-primary]");
      if (search?.value.trim() === "" || button == null) return false;
      button.click();
      search?.select();
      return true;
    }
    case "list":
      rows()[0]?.focus();
      return rows().length > 0;
    case "next":
    case "previous":
      if (row !== null) step(row, what === "next" ? 1 : -1);
      return row !== null;
    case "press": {
      const button = row?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key.toLowerCase())}"]`);
      if (row == null || button == null) return false;
      row.focus();
      button.click();
      return true;
    }
    default:
      return false;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const what = meaning(event.key, focusIn(event.target));
  if (what === null) return;
  const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".desk-row") : null;
  if (act(what, event.key, row)) event.preventDefault();
});
