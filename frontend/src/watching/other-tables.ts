/** The other tables of the round: they are requested while they are in view, and updated over the socket. */

import type { Code } from "../table/cards";
import { PLACES } from "../board/board";
import { cardFace, find } from "../dom";
import { difference, type Page, signed } from "../page";
import { type Glimpse, goneOn, type Running } from "../connection/side-tables";
import type { GameConnection, Others } from "../connection/socket";
import { typing } from "../board/stage";

/** htmx loads after this script, and processes the elements in the page then. */
declare const window: Window & { htmx?: { process(element: Element): void; trigger(element: Element, event: string): void } };

/** The polling interval of every list of tables; with an ETag, and longer while nothing changes. */
const ASKING = "load, wanted, every 5s";
const WANTED = "wanted";
/**
 * The interval to update the list of interesting tables once the socket sends their events. Requests follow the
 * clock, so that all spectators ask within the same few seconds and share one answer.
 */
const REFRESH_INTERVAL_MS = 180_000;
const REQUEST_JITTER_MS = 5000;

interface SideTable {
  readonly root: HTMLElement;
  glimpse: Glimpse;
}

export function showOthers(page: Page, line: GameConnection): void {
  const aside = document.querySelector<HTMLElement>("[data-beside]");
  if (aside === null) return;
  const part = find("[data-beside-part]");
  const opener = find("[data-beside-open]");
  const tables = new Map<string, SideTable>();
  let seen = false;
  let told = false;
  let trigger = "";
  let asking = 0;
  let missed = false;

  /** Hidden tables are neither requested nor subscribed to. */
  const ask = (): void => {
    const wanted = seen && !told ? ASKING : WANTED;
    if (wanted === trigger) return;
    trigger = wanted;
    part.setAttribute("hx-trigger", wanted);
    window.htmx?.process(part);
    if (wanted === ASKING) window.htmx?.trigger(part, WANTED); // the `load` trigger has already fired for this element
  };
  const look = (): void => {
    const before = seen;
    seen = aside.getClientRects().length > 0;
    if (seen === before) return;
    ask();
    if (tables.size > 0) line.haveBeside(others);
  };
  /** Delayed, because all spectators of a table get the same event at the same moment. */
  const askIn = (pause: number): void => {
    window.clearTimeout(asking);
    asking = window.setTimeout(() => {
      missed = document.hidden;
      if (seen && !missed) window.htmx?.trigger(part, WANTED);
    }, pause + REQUEST_JITTER_MS * Math.random());
  };
  const others: Others = {
    held: () => Object.fromEntries(seen ? [...tables].map(([game, { glimpse }]) => [game, glimpse.seq]) : []),
    take(frame) {
      const table = tables.get(frame.game);
      if (table === undefined || !seen) return;
      told = true;
      ask();
      const behind = frame.kind === "heartbeat" && frame.seq > table.glimpse.seq;
      const next = frame.kind === "events" ? goneOn(table.glimpse, frame.events) : frame.kind === "resync" || behind ? null : table.glimpse;
      if (next === null) askIn(0);
      else if (next !== table.glimpse) {
        table.glimpse = next;
        drawTable(table, page);
      }
    },
  };
  const read = (): void => {
    tables.clear();
    for (const root of part.querySelectorAll<HTMLElement>("[data-game]")) tables.set(root.dataset["game"]!, { root, glimpse: glimpseOf(root) });
    drawCards(part, page);
    askIn(REFRESH_INTERVAL_MS - (Date.now() % REFRESH_INTERVAL_MS));
    if (seen) line.haveBeside(others);
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
  document.addEventListener("htmx:afterSwap", (event) => part.contains(event.target as Node) && read());
  document.addEventListener("visibilitychange", () => missed && !document.hidden && askIn(0));
  document.addEventListener("puur:deck", () => drawCards(part, page));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && aside.classList.contains("open")) open(false);
    if (event.key === "n" && !typing(event)) part.querySelector<HTMLElement>("[data-next-table]")?.click();
  });
  look();
}

function glimpseOf(root: HTMLElement): Glimpse {
  const lie = [...root.querySelectorAll<HTMLElement>("[data-card]")];
  const trick = new Map(lie.map((card) => [Number(card.dataset["seat"]), (card.dataset["card"] || null) as Code | null]));
  const running = JSON.parse(root.dataset["running"] ?? "null") as Running | null;
  return { seq: Number(root.dataset["seq"]), trick, taken: false, deal: null, totals: null, running };
}

const placesOf = (root: HTMLElement): readonly string[] => PLACES[Number(root.dataset["seats"])] ?? PLACES[4]!;

function drawCards(root: HTMLElement, page: Page): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-card]")) {
    place.replaceChildren(cardFace(page, (place.dataset["card"] || null) as Code | null));
  }
}

function drawTable({ root, glimpse }: SideTable, page: Page): void {
  const board = root.querySelector<HTMLElement>("[data-lies]");
  const places = placesOf(root);
  const cards = [...glimpse.trick].map(([seat, card]) => {
    const place = document.createElement("span");
    place.dataset["seat"] = String(seat);
    place.dataset["at"] = places[seat % places.length] ?? "";
    place.dataset["card"] = card ?? "";
    return place;
  });
  board?.replaceChildren(...cards);
  drawCards(root, page);
  const deal = root.querySelector("[data-deal]");
  if (deal !== null && glimpse.deal !== null) deal.textContent = String(glimpse.deal);
  const totals = root.querySelectorAll("[data-total]");
  const now = glimpse.running?.points ?? null;
  root.querySelectorAll("[data-now]").forEach((place, side) => (place.textContent = now?.[side] ? difference(now[side]) : ""));
  glimpse.totals?.forEach((total, side) => totals[side] && (totals[side].textContent = total === null ? "–" : signed(total)));
}
