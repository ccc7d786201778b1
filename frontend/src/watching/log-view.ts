/** The commentary as a list; newest last, scrolled into view. */

import { describe, type Line } from "./commentary";
import { h, keepInView } from "../dom";
import type { EventBase } from "../table/events";
import { deckInUse, type Page } from "../page";
import { EMPTY, reduce, type Table } from "../table/table";

/** All lines of a sequence of events. */
export function linesOf(events: readonly EventBase[], page: Page, from: Table = EMPTY): Line[] {
  const deck = deckInUse();
  let table = from;
  const lines: Line[] = [];
  for (const event of events) {
    table = reduce(table, event);
    if (event.type === "taken_back") takenBack(lines, (event as EventBase & { to: number }).to);
    const line = describe(table, event, page, deck);
    if (line !== null) lines.push(line);
  }
  return lines;
}

/** Cancelled lines stay, struck through. */
function takenBack(lines: Line[], to: number): void {
  for (const [index, line] of lines.entries()) if (line.seq >= to && line.tone !== "note") lines[index] = { ...line, tone: "gone" };
}

/** The contents of each list: scrolling causes a layout, which is not needed after every tap. */
const drawn = new WeakMap<HTMLElement, string>();

export function renderLog(root: HTMLElement, lines: readonly Line[], onPick?: (seq: number) => void, now = -1): void {
  const shown = lines.map((line) => `${line.seq} ${line.tone} ${line.text}`).join("\n") + now;
  if (drawn.get(root) === shown) return;
  drawn.set(root, shown);
  const items = lines.map((line) => {
    const text = onPick ? h("button", { type: "button", click: () => onPick(line.seq) }, line.text) : line.text;
    const item = h("li", { class: line.tone === "plain" ? null : line.tone, "data-seq": line.seq }, text);
    if (line.seq === now) {
      item.classList.add("now");
      item.setAttribute("aria-current", "step");
    }
    return item;
  });
  root.replaceChildren(...items);
  keepInView(root);
}

/** The lines of the newest events. */
export function freshLines(events: readonly EventBase[], fresh: readonly EventBase[], page: Page): Line[] {
  const first = fresh[0]?.seq ?? Infinity;
  return linesOf(events, page).filter((line) => line.seq >= first);
}
