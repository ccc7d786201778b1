/** Every page: appearance without a reload, menus that close, polled parts. */

import { poll } from "../connection/polling";
import { forgetTables, forgetUnsent, isAnythingUnsent } from "../connection/device-storage";
import { makesForget } from "../worker/offline-pages";

// Browsers may refuse a service worker, and need TLS for it. Without a worker, pages work with a network only.
window.addEventListener("load", () => void navigator.serviceWorker?.register("/worker.js", { updateViaCache: "all" }).catch(() => undefined));

/** A sign-in, sign-out or code erases the stored data of tables. */
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (!makesForget(new URL(form.getAttribute("action") ?? "", location.href))) return;
  const question = form.dataset["unsent"];
  if (question !== undefined && isAnythingUnsent()) {
    if (!window.confirm(question)) {
      event.preventDefault();
      return;
    }
    forgetUnsent();
  }
  forgetTables();
  if (form.getAttribute("action") === "/sign-out/") localStorage.removeItem("puur_followed");
});

/** Link to the rules of the selected game. */
for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-rules-of]")) {
  const choice = document.getElementById(link.dataset["rulesOf"] ?? "") as HTMLSelectElement;
  const lead = (): void => link.setAttribute("href", choice.selectedOptions[0]?.dataset["rules"] ?? link.href);
  choice.addEventListener("change", lead);
  lead();
}

declare const htmx: { ajax(verb: string, path: string, context: { source: EventTarget }): Promise<void> };

const YEAR = 365 * 24 * 3600;

function remember(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `puur_${name}=${value}; path=/; max-age=${YEAR}; SameSite=Lax${secure}`;
}

function choose(button: HTMLButtonElement): void {
  const { name, value } = button;
  remember(name, value);
  document.documentElement.dataset[name] = value;
  for (const other of document.querySelectorAll<HTMLButtonElement>(`[data-appearance] button[name="${name}"]`)) {
    other.setAttribute("aria-pressed", String(other.value === value));
  }
  if (name === "deck") {
    document.dispatchEvent(new CustomEvent("puur:deck", { detail: value }));
    redrawStaticCards(value);
  }
}

/** Redraw server-rendered cards, whose label and symbol depend on the deck. */
function redrawStaticCards(deck: string): void {
  for (const use of document.querySelectorAll<SVGUseElement>("main .card-face use")) {
    const href = use.getAttribute("href") ?? "";
    use.setAttribute("href", href.replace(/(fr|ch)((?:\.[0-9a-f]+)?\.svg#)(fr|ch)-/, `${deck}$2${deck}-`));
  }
}

document.addEventListener("submit", (event) => {
  const button = (event as SubmitEvent).submitter;
  if (button instanceof HTMLButtonElement && button.form?.hasAttribute("data-appearance")) {
    event.preventDefault();
    choose(button);
  }
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (!menu.contains(event.target as Node)) menu.open = false;
  }
});

/** `?` opens the page's help, unless a text field has the focus. */
function asksForHelp(event: KeyboardEvent): boolean {
  const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]") !== null;
  return event.key === "?" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
}

document.addEventListener("keydown", (event) => {
  const help = document.querySelector<HTMLDetailsElement>("#help");
  if (help !== null && asksForHelp(event)) {
    // On a stage the button is in the menu.
    const menu = help.closest<HTMLDetailsElement>(".stage-menu") ?? help;
    help.open = menu.open = !(help.open && menu.open);
    (help.open ? help.querySelector<HTMLElement>(".menu-panel") : menu.querySelector("summary"))?.focus();
  }
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

// On a phone the tab of this page may be outside the visible part of the tab bar.
for (const tab of document.querySelectorAll<HTMLElement>(".tabs [aria-current]")) {
  const tabs = tab.parentElement as HTMLElement;
  tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
}

poll(
  document,
  (part) => void htmx.ajax("GET", part.getAttribute("hx-get") ?? "", { source: part }),
  Date.now,
  (part) => {
    const shown = document.querySelector(`[data-as-of="${part.getAttribute("id") ?? ""}"]`);
    if (shown !== null) shown.textContent = new Date().toTimeString().slice(0, 8);
  },
);
