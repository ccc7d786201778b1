/** The taken cards of each side: a face-down heap beside the seat that took its first trick, with the points of the running deal. */

import { cardFace, h } from "../dom";
import { type Page, say, sideName, signed } from "../page";
import { rulesOf } from "../table/rules";
import { standingOf } from "../table/standing";
import { sideOf, type Table } from "../table/table";

export interface Heap {
  side: number;
  seat: number;
  tricks: number;
}

/** The heaps of the deal, without tricks of unknown takers. `openTricks`: the number of tricks that are still open. */
export function heapsOf(table: Table, openTricks = 0): Heap[] {
  const heaps = new Map<number, Heap>();
  for (const { taker } of table.tricks.slice(0, table.tricks.length - openTricks)) {
    if (taker === null) continue;
    const side = sideOf(table, taker);
    const heap = heaps.get(side) ?? { side, seat: taker, tricks: 0 };
    heaps.set(side, { ...heap, tricks: heap.tricks + 1 });
  }
  return [...heaps.values()];
}

/** The seat whose heap gets a taker's tricks: the one of its side. */
export function heapFor(table: Table, taker: number): number {
  return heapsOf(table).find((heap) => heap.side === sideOf(table, taker))?.seat ?? taker;
}

export class Heaps {
  readonly #places = new Map<string, HTMLElement>();

  constructor(
    root: HTMLElement,
    private readonly page: Page,
  ) {
    for (const at of ["bottom", "right", "top", "left"]) {
      const place = h("div", { class: "heap", "data-at": at });
      this.#places.set(at, place);
      root.append(place);
    }
  }

  /** The element of a seat's heap, or its future place. */
  of(at: string): HTMLElement {
    return this.#places.get(at) as HTMLElement;
  }

  draw(table: Table, at: (seat: number) => string, openTricks: number): void {
    const counted = table.rows.some((row) => row.deal === table.deal);
    const heaps = counted ? [] : heapsOf(table, openTricks);
    // An open trick counts once it has moved to its heap.
    const standing = standingOf({ ...table, tricks: table.tricks.slice(0, table.tricks.length - openTricks) }, rulesOf(this.page));
    for (const [place, element] of this.#places) {
      const heap = heaps.find((one) => at(one.seat) === place);
      const points = heap === undefined ? null : (standing?.points[heap.side] ?? null);
      const tricks = String(heap?.tricks ?? 0);
      const holds = [tricks, points ?? "", heap?.side ?? ""].join(" ");
      if (element.dataset["shows"] === holds) continue;
      element.dataset["shows"] = holds;
      element.dataset["holds"] = tricks;
      element.dataset["side"] = String(heap?.side ?? "");
      element.replaceChildren(...(heap === undefined ? [] : this.#heapParts(table, heap, points)));
    }
  }

  #heapParts(table: Table, { side, tricks }: Heap, points: number | null): Element[] {
    const label = say(points === null ? "table.heap" : "table.heap_points", { side: sideName(this.page, table, side), tricks, points });
    return [
      h("span", { class: "heap-cards", "aria-hidden": "true" }, ...Array.from({ length: Math.min(tricks, 3) }, () => cardFace(this.page, null, { mute: true }))),
      h("b", { "aria-hidden": "true" }, points === null ? String(tricks) : signed(points)),
      h("span", { class: "visually-hidden" }, label),
    ];
  }
}
