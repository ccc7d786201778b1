/** The side for which this phone writes, or the last selected one of several. */

import { h } from "../dom";
import { type Page, sideName } from "../page";
import { seatsOf, sideOf, type Table } from "../table/table";

export class Writer {
  /** The seats for which this phone may write; a shared tablet has all. */
  readonly seats: readonly number[];
  readonly #key: string;
  #chosen: number;

  constructor(private readonly page: Page) {
    this.seats = (page.extra["seats"] as number[] | undefined) ?? (page.seat === null ? [] : [page.seat]);
    this.#key = `puur_side_${page.game}`;
    this.#chosen = Number(localStorage.getItem(this.#key) ?? NaN);
  }

  #sides(table: Table): number[] {
    return [...new Set(this.seats.map((seat) => sideOf(table, seat)))];
  }

  #side(table: Table): number {
    const own = this.#sides(table);
    return own.includes(this.#chosen) ? this.#chosen : (own[0] ?? 0);
  }

  seatFor(table: Table, side: number): number | undefined {
    return seatsOf(table, side).find((seat) => this.seats.includes(seat));
  }

  /** A seat of the selected side, or any seat of this phone before sides are known. */
  seat(table: Table): number | undefined {
    return this.seatFor(table, this.#side(table)) ?? this.seats[0];
  }

  draw(root: HTMLElement, table: Table, redraw: () => void): void {
    const own = this.#sides(table);
    const choose = (side: number): void => {
      this.#chosen = side;
      localStorage.setItem(this.#key, String(side));
      redraw();
    };
    const button = (side: number): HTMLElement => h("button", { type: "button", "aria-pressed": String(side === this.#side(table)), click: () => choose(side) }, sideName(this.page, table, side));
    root.hidden = own.length < 2;
    root.replaceChildren(...own.map(button));
  }
}
