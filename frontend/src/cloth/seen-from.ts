/** From which seat a table is seen: whoever has none of his own chooses, live as well as looking back. */

import type { Cloth, ClothOptions } from "./cloth";
import { find, h } from "../dom";
import type { Page } from "../page";
import { EMPTY } from "../table/table";

/** `redraw` draws what is looked at. */
export function offerSeats(page: Page, cloth: Cloth, seen: ClothOptions, redraw: () => void): void {
  const choice = find<HTMLSelectElement>("[data-seat-below]");
  page.names.forEach((name, seat) => choice.append(h("option", { value: seat, selected: seat === seen.near }, name)));
  choice.addEventListener("change", () => {
    seen.near = Number(choice.value);
    cloth.draw(EMPTY, null, false); // cards that lie keep the side they fell from
    redraw();
  });
}
