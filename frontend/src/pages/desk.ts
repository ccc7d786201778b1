/**
 * The desk by keyboard: "/" searches, Enter selects the found person, arrows choose among several; in a line the
 * marked letter presses its button. Suggestions of the roll stand below a typed name: the arrow goes there, Enter
 * enters. Everything works by mouse and without this script as well.
 */

import { meaning, type Focus } from "./desk-keys";

const search = document.querySelector<HTMLInputElement>("[data-desk-search]");
/** The query of the shown list; an earlier Enter waits for its list, or it would select another person. */
let shown = search?.defaultValue ?? "";
let waiting = false;
/** The current line; while it is replaced by its update, nothing has the focus. */
let line = "";

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("#entry-rows .desk-row")];

function focusIn(target: EventTarget | null): Focus {
  if (target === search) return "search";
  if (!(target instanceof HTMLElement)) return "page";
  if (target.matches("#id_family_name, #id_first_name")) return (target as HTMLInputElement).value ? "name" : "empty";
  if (target.closest("#offered") !== null) return "offered";
  if (target.closest("input, select, textarea") !== null) return "text";
  return target.closest(".desk-row") === null ? "page" : "row";
}

function step(from: HTMLElement, by: number): void {
  const all = rows();
  const next = all[all.indexOf(from) + by];
  if (next !== undefined) next.focus();
  else if (by < 0) search?.focus();
}

const primary = (row: HTMLElement): HTMLElement | null => row.querySelector<HTMLElement>("[data-primary]");

/** Select the found person: a single one at once; of several the first is preselected, and Enter selects it. */
function takeFound(from: HTMLInputElement): void {
  waiting = false;
  const found = rows().filter((row) => primary(row) !== null);
  if (rows().length === 1 || found.length === 1) {
    const button = found[0] === undefined ? null : primary(found[0]);
    button?.click();
    from.select();
  } else (found[0] ?? rows()[0])?.focus();
}

/** Move among the suggestions, starting at the focused one. */
function offer(by: number, from: Element | null): boolean {
  const all = [...document.querySelectorAll<HTMLElement>("#offered button")];
  const next = all[from === null ? 0 : all.indexOf(from as HTMLElement) + by];
  if (next !== undefined) next.focus();
  else if (by < 0) document.getElementById("id_family_name")?.focus();
  return all.length > 0;
}

function act(what: string, key: string, row: HTMLElement | null): boolean {
  switch (what) {
    case "search":
      search?.focus();
      search?.select();
      return true;
    case "first": {
      if (search === null || search.value.trim() === "") return false;
      if (shown === search.value) takeFound(search);
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
    case "take": {
      const button = row === document.activeElement && row !== null ? primary(row) : null;
      button?.click();
      if (button !== null) search?.focus();
      if (button !== null) search?.select();
      return button !== null;
    }
    case "offers":
      return offer(0, null);
    case "next-offer":
    case "previous-offer":
      return offer(what === "next-offer" ? 1 : -1, document.activeElement);
    case "name":
      document.getElementById("id_family_name")?.focus();
      return true;
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

// Wait for htmx's settling, not only its swap: before that a new button is not initialized and would load the whole
// page.
document.addEventListener("htmx:afterSettle", (event) => {
  const detail = (event as CustomEvent<{ target?: Element; pathInfo?: { finalRequestPath?: string } }>).detail;
  if (search === null || detail.target?.id !== "entry-rows") return;
  const asked = new URL(detail.pathInfo?.finalRequestPath ?? "", location.href);
  shown = asked.searchParams.get("q") ?? "";
  if (waiting && shown === search.value) takeFound(search);
});

/** Opening the form for a new person focuses the name; a link to the form opens it. */
const add = document.querySelector<HTMLDetailsElement>("#add");
const typeName = (): void => {
  if (add?.open && (document.activeElement === null || !add.contains(document.activeElement) || document.activeElement.matches("summary"))) document.getElementById("id_family_name")?.focus();
};
const openAdd = (): void => {
  if (add === null || location.hash !== "#add") return;
  add.open = true;
  typeName();
};
add?.addEventListener("toggle", typeName);
window.addEventListener("hashchange", openAdd);
openAdd();
