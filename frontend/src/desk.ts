/**
 * The desk by keyboard: "/" searches, Enter takes the first one found, arrows walk the list, and in a line the marked
 * letter presses its button. Everything works by mouse and without this script as well.
 */

import { meaning, type Focus } from "./desk-keys";

const search = document.querySelector<HTMLInputElement>("[data-desk-search]");
/** What the list shows the answer to; Enter pressed sooner waits for the list, or it would take somebody else. */
let shown = search?.defaultValue ?? "";
let waiting = false;
/** The line one works in; while it is exchanged for its new self the focus is nowhere for a moment. */
let line = "";

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

function takeFirst(from: HTMLInputElement): void {
  waiting = false;
  rows()[0]?.querySelector<HTMLElement>("[data-primary]")?.click();
  from.select();
}

function act(what: string, key: string, row: HTMLElement | null): boolean {
  switch (what) {
    case "search":
      search?.focus();
      search?.select();
      return true;
    case "first": {
      if (search === null || search.value.trim() === "") return false;
      if (shown === search.value) takeFirst(search);
      else waiting = true;
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
  const lost = event.target === document.body ? document.getElementById(line) : null;
  const what = meaning(event.key, lost === null ? focusIn(event.target) : "row");
  if (what === null) return;
  const row = lost ?? (event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".desk-row") : null);
  if (act(what, event.key, row)) event.preventDefault();
});

document.addEventListener("focusin", (event) => {
  line = event.target instanceof HTMLElement ? (event.target.closest(".desk-row")?.id ?? "") : "";
});

search?.addEventListener("input", () => {
  waiting = false;
});

// Settled, not only swapped: before that a new button is none of htmx's yet and would load the whole page.
document.addEventListener("htmx:afterSettle", (event) => {
  const detail = (event as CustomEvent<{ target?: Element; pathInfo?: { finalRequestPath?: string } }>).detail;
  if (search === null || detail.target?.id !== "entry-rows") return;
  const asked = new URL(detail.pathInfo?.finalRequestPath ?? "", location.href);
  shown = asked.searchParams.get("q") ?? "";
  if (waiting && shown === search.value) takeFirst(search);
});
