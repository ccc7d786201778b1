/** The choice of the near seat for readers without a seat, live and in replays. */

import type { Board, BoardOptions } from "./board";
import { find, h } from "../dom";
import type { Page } from "../page";
import { EMPTY } from "../table/table";

/** `redraw` draws the current position. */
export function offerSeats(page: Page, board: Board, seen: BoardOptions, redraw: () => void): void {
  const choice = find<HTMLSelectElement>("[data-seat-below]");
  page.names.forEach((name, seat) => choice.append(h("option", { value: seat, selected: seat === seen.near }, name)));
  choice.addEventListener("change", () => {
    seen.near = Number(choice.value);
    board.draw(EMPTY, null, false); // visible cards would keep the side from which they were played
    redraw();
  });
}
