/** The other tables of the round beside the one that is watched: asked for while they are in sight, cards drawn from the deck in use. */

import type { Code } from "./cards";
import { cardFace, find } from "./dom";
import type { Page } from "./page";
import { typing } from "./stage";

/** It comes after this script, and finds what is in the page by then. */
declare const window: Window & { htmx?: { process(element: Element): void } };

/** As often as a table of tables is asked for anywhere; with an ETag, and more seldom while nothing changes. */
const ASKING = "load, every 5s";

function drawCards(root: HTMLElement, page: Page): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-card]")) {
    place.replaceChildren(cardFace(page, (place.dataset["card"] || null) as Code | null));
  }
}

export function showOthers(page: Page): void {
  const aside = document.querySelector<HTMLElement>("[data-beside]");
  if (aside === null) return;
  const part = find("[data-beside-part]");
  const opener = find("[data-beside-open]");
  let asks = false;

  /** What nobody sees is not asked for. */
  const look = (): void => {
    const seen = aside.getClientRects().length > 0;
    if (seen === asks) return;
    asks = seen;
    part.setAttribute("hx-trigger", seen ? ASKING : "wanted");
    window.htmx?.process(part);
  };
  const open = (wanted: boolean): void => {
    aside.classList.toggle("open", wanted);
    opener.setAttribute("aria-expanded", String(wanted));
    look();
    if (wanted) find<HTMLElement>("[data-beside-close]").focus();
    else if (aside.contains(document.activeElement)) opener.focus();
  };

  opener.addEventListener("click", () => open(!aside.classList.contains("open")));
  find("[data-beside-close]").addEventListener("click", () => open(false));
  window.addEventListener("resize", look);
  document.addEventListener("htmx:afterSwap", (event) => part.contains(event.target as Node) && drawCards(part, page));
  document.addEventListener("puur:deck", () => drawCards(part, page));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && aside.classList.contains("open")) open(false);
    if (event.key === "n" && !typing(event)) part.querySelector<HTMLElement>("[data-next-table]")?.click();
  });
  look();
}
