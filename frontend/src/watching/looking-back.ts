/** Earlier tricks of a running game, and hands of finished deals once they may be shown. */

import type { Board, BoardOptions } from "../board/board";
import { find } from "../dom";
import type { EventBase } from "../table/events";
import { placeOf } from "../table/moments";
import { type Page, read } from "../page";
import type { Table } from "../table/table";
import { Timeline } from "./timeline";

export class LookingBack {
  /** Whether the board shows an earlier moment, so that new events are not drawn. */
  looking = false;
  /** Called with the shown earlier moment. */
  onLook: (table: Table) => void = () => undefined;
  readonly #timeline: Timeline;
  readonly #back = find("[data-live]");
  readonly #openHands: boolean;
  /** The events with the hands of finished deals, as last loaded, and the number of finished deals then. */
  #told: readonly EventBase[] = [];
  #askedAfter = 0;

  /** `resume` draws the current table. */
  constructor(
    private readonly page: Page,
    private readonly board: Board,
    private readonly seen: BoardOptions,
    private readonly resume: () => void,
  ) {
    this.#openHands = seen.openHands;
    this.#timeline = new Timeline(page, (at, live) => this.#go(at, live));
    seen.stays = () => this.looking && !this.#timeline.plays;
    this.#back.addEventListener("click", () => this.#timeline.act("last"));
  }

  /** Take all events so far. */
  take(events: readonly EventBase[]): void {
    this.#timeline.take([...this.#told, ...events.slice(this.#told.length)]);
    this.#timeline.show(this.looking ? this.#timeline.at : this.#timeline.events.length - 1);
  }

  /** Go to the moment after an event. */
  goTo(seq: number): void {
    this.#timeline.go(this.#timeline.position(seq));
  }

  /** Redraw the earlier moment. */
  redraw(live = false): void {
    const { at, pictures, deals } = this.#timeline;
    const table = pictures[at];
    const deal = deals[placeOf(deals, at).deal];
    if (table === undefined) return;
    this.seen.openHands = this.#openHands || (deal?.over ?? false);
    // No turn is shown: the running clock does not belong to this moment.
    this.board.draw(table, null, live);
    this.board.status.textContent = "";
    this.onLook(table);
    if (deal?.over && table.hands.some((hand) => hand === null)) this.#ask();
  }

  #go(at: number, live: boolean): void {
    this.looking = at < this.#timeline.events.length - 1;
    this.#back.hidden = !this.looking;
    this.#timeline.show(at);
    if (this.looking) {
      this.redraw(live);
      return;
    }
    this.seen.openHands = this.#openHands;
    this.resume();
  }

  /** Load hands of finished deals, which the socket does not send, when such a deal is shown. */
  #ask(): void {
    const over = this.#timeline.deals.filter((deal) => deal.over).length;
    if (over <= this.#askedAfter) return;
    this.#askedAfter = over;
    void read<{ events: EventBase[] }>(this.page, this.page.events)
      .then((answer) => {
        if (answer === null || answer.events.length < this.#timeline.events.length) return;
        this.#told = answer.events;
        this.take(answer.events);
        if (this.looking) this.redraw();
      })
      .catch(() => undefined);
  }
}
