/** The time of the turn going on, beside the name of whose it is. The server decides when it is over. */

import type { Feed } from "../connection/feed";
import type { EventBase } from "../table/events";
import { type Page, say } from "../page";
import { give } from "./signals";
import type { Table } from "../table/table";

const SHORT = 10;

interface Given {
  seconds: number | null;
  /** Seats whose turns are timed; a bot has its pace instead. */
  seats: number[];
  now: { seat: number; due_at: string } | null;
}

export class TurnClock {
  /** What it did last: the first event of it, and that it did so. */
  acted = { seq: -1, text: "" };
  #due: number | null = null;
  #seat: number | null = null;
  /** Whether the turn began before one's eyes. */
  #seen = false;
  #turn = "";
  /** The turn of which was said that its time runs short. */
  #warned = "";

  constructor(private readonly page: Page) {
    if (this.#given?.seconds) window.setInterval(() => this.draw(), 500);
  }

  get #given(): Given | null {
    return (this.page.extra["clock"] as Given | undefined) ?? null;
  }

  /** Events have come. It runs, whatever is still looked at. */
  heard(feed: Feed, fresh: readonly EventBase[], own: number | null): void {
    const text = this.ranOut(fresh, own);
    if (text !== "") this.acted = { seq: fresh[0]!.seq, text };
    this.turnOf(feed.table, feed.prompt.turn?.seat ?? null);
  }

  /** The first turn began before the page was here; every other begins when it is first seen. */
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

  /** That what has come came because somebody's time was up; "" where it did not, or nobody can say. */
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
