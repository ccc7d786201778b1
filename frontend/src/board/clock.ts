/** The clock of the current turn, beside the player's name. The server decides when the time is over. */

import type { Feed } from "../connection/feed";
import type { EventBase } from "../table/events";
import { type Page, say } from "../page";
import { give } from "./sounds";
import type { Table } from "../table/table";

const SHORT = 10;

interface Given {
  seconds: number | null;
  /** Seats with a clock; bots have a pace instead. */
  seats: number[];
  now: { seat: number; due_at: string } | null;
}

export class TurnClock {
  /** The last action of the clock: its first event, and its text. */
  acted = { seq: -1, text: "" };
  #due: number | null = null;
  #seat: number | null = null;
  /** Whether the turn began while the page was open. */
  #seen = false;
  #turn = "";
  /** The turn for which the low-time warning was given. */
  #warned = "";

  constructor(private readonly page: Page) {
    if (this.#given?.seconds) window.setInterval(() => this.draw(), 500);
  }

  get #given(): Given | null {
    return (this.page.extra["clock"] as Given | undefined) ?? null;
  }

  /** Take new events. The clock runs, also while an earlier moment is shown. */
  heard(feed: Feed, fresh: readonly EventBase[], own: number | null): void {
    const text = this.ranOut(fresh, own);
    if (text !== "") this.acted = { seq: fresh[0]!.seq, text };
    this.turnOf(feed.table, feed.prompt.turn?.seat ?? null);
  }

  /** The first turn began before the page loaded; every other begins when it is first shown. */
  turnOf(table: Table, acting: number | null): void {
    const key = [acting, table.deal, table.tricks.length, table.trick.length, table.pushed.length, table.contract].join(" ");
    if (key === this.#turn || !this.#given?.seconds) return;
    const first = this.#turn === "";
    const known = first ? this.#given.now : null;
    this.#due = known ? Date.parse(known.due_at) : Date.now() + this.#given.seconds * 1000;
    if (acting === null || !this.#given.seats.includes(acting)) this.#due = null;
    this.#seat = acting;
    this.#seen = !first;
    this.#turn = key;
  }

  /** A text if the events were caused by a time-out; otherwise "". */
  ranOut(fresh: readonly EventBase[], own: number | null): string {
    const by = (fresh[0] as (EventBase & { seat?: number | null }) | undefined)?.seat ?? null;
    if (by === null || by !== this.#seat || !this.#seen || this.#due === null || Date.now() < this.#due) return "";
    return by === own ? say("play.time_was_up") : say("table.time_was_up", { name: this.page.names[by] });
  }

  draw(): void {
    const place = document.querySelector<HTMLElement>(".spot-clock");
    if (place === null || this.#due === null) return;
    const left = Math.max(0, Math.ceil((this.#due - Date.now()) / 1000));
    place.hidden = false;
    place.textContent = left >= 60 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : String(left);
    place.classList.toggle("short", left <= SHORT);
    if (left > 0 && left <= SHORT && this.#seat === this.page.seat && this.#warned !== this.#turn) {
      this.#warned = this.#turn;
      give("time");
    }
  }
}
