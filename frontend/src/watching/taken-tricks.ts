/** The taken tricks, listed beside the table. */

import type { Code } from "../table/cards";
import { cardFace, h } from "../dom";
import { cardName, type Page, say } from "../page";
import type { Table } from "../table/table";

/** The given completed tricks of this deal as small rows. */
export function trickRows(page: Page, table: Table, which: readonly number[], onPick?: (seq: number) => void): HTMLElement {
  const rows = which.map((index) => {
    const trick = table.tricks[index];
    if (trick === undefined) return null;
    const faces = trick.plays.map((play) => cardFace(page, play.card as Code | null));
    const names = trick.plays.map((play) => `${page.names[play.seat]}: ${cardName(play.card)}`).join(", ");
    const taker = trick.taker === null ? say("nobody") : (page.names[trick.taker] ?? "");
    return h(
      "div",
      { class: "taken-trick", title: names },
      onPick
        ? h("button", { type: "button", class: "to-moment", "aria-label": say("timeline.to_trick", { trick: index + 1 }), click: () => onPick(trick.seq) }, String(index + 1))
        : h("span", { class: "seat-letter" }, String(index + 1)),
      h("span", { class: "cards" }, ...faces),
      h("span", {}, `${taker}${trick.points === null ? "" : ` · ${trick.points}`}`),
    );
  });
  return h("div", { class: "taken-tricks" }, ...rows);
}
