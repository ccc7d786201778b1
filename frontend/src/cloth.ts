/** The table on the screen: four places, the trick in the middle, contract and deal above. Drawn from the picture. */

import type { Code } from "./cards";
import { trumpOf } from "./cards";
import { calm, cardFace, h, suitPip } from "./dom";
import { cardName, contractName, type Page, say } from "./page";
import type { Play, Table } from "./table";
import { winningPlay } from "./turn";

const PLACES: Record<number, readonly string[]> = {
  2: ["bottom", "top"],
  3: ["bottom", "right", "left"],
  4: ["bottom", "right", "top", "left"],
};
/** Seat → the cards it may play, where whoever looks is allowed to know. */
export type Lit = ReadonlyMap<number, readonly Code[]>;
const NOTHING_LIT: Lit = new Map();

const LINGER = 1500;
const LEAVING = 400;

export interface ClothOptions {
  /** Who sits at the near edge. */
  near: number;
  /** Show the cards of every hand that is known (replay, referee), not only backs. */
  openHands: boolean;
  /** The near seat's hand is drawn by somebody else. */
  hideNearHand: boolean;
}

export class Cloth {
  readonly status: HTMLElement;
  private readonly contract = h("div", { class: "contract" });
  private readonly counter = h("div", { class: "deal-counter" });
  private readonly places = h("div", { class: "places" });
  private readonly trick = h("div", { class: "trick", role: "group" });
  private readonly cards = new Map<number, HTMLElement>();
  private linger = 0;
  private leaving = 0;

  constructor(
    root: HTMLElement,
    private readonly page: Page,
    private readonly options: ClothOptions,
  ) {
    this.status = h("div", { class: "cloth-status", role: "status", "aria-live": "polite" });
    this.trick.setAttribute("aria-label", say("table.trick"));
    this.places.append(this.trick);
    root.append(h("div", { class: "cloth-head" }, this.contract, this.counter), this.places, this.status);
  }

  at(table: Table, seat: number): string {
    const places = PLACES[table.seats] ?? PLACES[4]!;
    return places[(seat - this.options.near + table.seats) % table.seats] ?? "top";
  }

  /** `live`: cards move; otherwise (a jump in a replay, a first load) everything lies where it belongs at once. */
  draw(table: Table, acting: number | null, live: boolean, lit: Lit = NOTHING_LIT): void {
    this.drawHead(table);
    for (const old of [...this.places.querySelectorAll(".spot")]) old.remove();
    for (let seat = 0; seat < table.seats; seat += 1) this.places.append(this.spot(table, seat, acting === seat, lit.get(seat)));
    this.drawTrick(table, live);
  }

  private drawHead(table: Table): void {
    const deals = table.options["deals"];
    const trump = trumpOf(table.contract);
    const arrow = table.contract === null ? null : table.contract.endsWith("undenufe") ? "↑" : "↓";
    const mark = trump !== null ? suitPip(this.page, trump) : arrow && h("span", { class: "chip light", "aria-hidden": "true" }, arrow);
    const who = table.chooser === null ? "" : say(table.pushed.length ? "table.by_pushed" : "table.by", { name: this.page.names[table.chooser] });
    const multipliers = table.options["multipliers"] as Record<string, number> | undefined;
    const times = table.contract === null ? 1 : (multipliers?.[table.contract] ?? 1);
    this.contract.replaceChildren(
      ...(mark ? [mark] : []),
      h(
        "span",
        {},
        table.contract === null ? say(table.deal ? "table.no_contract" : "table.before") : contractName(table.contract) + (times > 1 ? ` ×${times}` : ""),
        who && h("small", {}, who),
      ),
    );
    const counter = typeof deals === "number" ? say("table.deal_of", { deal: table.deal, deals }) : say("table.deal", { deal: table.deal });
    this.counter.replaceChildren(
      h("div", {}, table.deal ? counter : ""),
      h("div", { class: "muted" }, table.deal && table.tricks.length ? say("table.tricks_done", { tricks: table.tricks.length }) : ""),
    );
  }

  private spot(table: Table, seat: number, acting: boolean, legal: readonly Code[] | undefined): HTMLElement {
    const place = this.at(table, seat);
    const notes: HTMLElement[] = acting ? [h("span", { class: "spot-clock", hidden: true, "aria-hidden": "true" })] : [];
    if (table.dealer !== null && (table.dealer + 1) % table.seats === seat) notes.push(h("span", { class: "tag" }, say("table.forehand")));
    if (table.pushed.includes(seat)) notes.push(h("span", { class: "tag" }, say("table.pushed")));
    if (table.chooser === seat) notes.push(h("span", { class: "tag strong" }, contractName(table.contract)));
    if (table.stoeck.some((s) => s.seat === seat)) notes.push(h("span", { class: "tag strong" }, say("table.stoeck")));
    for (const meld of table.declared.filter((d) => d.seat === seat)) {
      notes.push(h("span", { class: "tag" }, say("table.melds", { points: meld.declared.map((d) => d.points).join(" + ") })));
    }
    return h(
      "div",
      { class: acting ? "spot acting" : "spot", "data-at": place, "data-seat": seat },
      h(
        "span",
        { class: "spot-plate" },
        h("span", { class: "spot-name" }, this.page.names[seat] ?? ""),
        acting && h("span", { class: "visually-hidden" }, say("table.acting")),
      ),
      this.hand(table, seat, place, legal),
      h("div", { class: "spot-notes" }, ...notes),
    );
  }

  private hand(table: Table, seat: number, place: string, legal: readonly Code[] | undefined): HTMLElement | null {
    const size = table.sizes[seat] ?? 0;
    if (place === "bottom" && this.options.hideNearHand) return null;
    const known = table.hands[seat];
    if (this.options.openHands && known && known.length > 0) {
      const slots = known.map((card) => {
        const lit = legal === undefined ? "" : legal.includes(card) ? " legal" : " illegal";
        return h("span", { class: `slot${lit}` }, cardFace(this.page, card));
      });
      return h("div", { class: "spot-cards" }, ...slots);
    }
    const backs = Array.from({ length: Math.min(size, 12) }, () => cardFace(this.page, null, { mute: true }));
    return h("div", { class: "spot-backs", role: "img", "aria-label": say("table.cards_left", { cards: size }) }, ...backs);
  }

  private drawTrick(table: Table, live: boolean): void {
    const complete = table.trick.length === 0 ? table.lastTrick : null;
    const news = complete !== null && (complete.seq > this.shownTrick || !live);
    if (table.trick.length > 0) {
      this.stop();
      this.show(table, table.trick, live, winningPlay(table));
    } else if (complete !== null && news && live) {
      const winner = complete.plays.findIndex((play) => play.seat === complete.taker);
      this.show(table, complete.plays, true, winner);
      this.shownTrick = complete.seq;
      this.stop();
      const side = complete.taker === null ? "top" : this.at(table, complete.taker);
      this.linger = window.setTimeout(() => this.collect(side), LINGER);
    } else if (complete === null || !live) {
      this.stop();
      const last = !live && complete !== null && complete.seq === table.seq ? complete : null;
      const winner = last ? last.plays.findIndex((play) => play.seat === last.taker) : -1;
      this.show(table, last?.plays ?? [], false, winner);
    }
    if (complete !== null) this.shownTrick = complete.seq;
  }

  private shownTrick = -1;

  private show(table: Table, plays: readonly Play[], live: boolean, winner: number): void {
    const wanted = new Set(plays.map((play) => play.seq));
    for (const [seq, element] of this.cards) {
      if (wanted.has(seq)) continue;
      element.remove();
      this.cards.delete(seq);
    }
    const marked = new Set(table.infractions.map((infraction) => infraction.atSeq));
    plays.forEach((play, index) => {
      let element = this.cards.get(play.seq);
      if (element === undefined) {
        element = h("div", { class: live ? "trick-card arriving" : "trick-card", "data-at": this.at(table, play.seat) });
        this.trick.append(element);
        this.cards.set(play.seq, element);
      }
      element.replaceChildren(cardFace(this.page, play.card), h("span", { class: "visually-hidden" }, this.page.names[play.seat] ?? ""));
      element.classList.toggle("winning", index === winner);
      element.classList.toggle("marked", marked.has(play.seq));
    });
  }

  private collect(side: string): void {
    for (const element of this.cards.values()) element.classList.add(`to-${side}`);
    this.leaving = window.setTimeout(
      () => {
        for (const element of this.cards.values()) element.remove();
        this.cards.clear();
      },
      calm() ? 0 : LEAVING,
    );
  }

  private stop(): void {
    window.clearTimeout(this.linger);
    window.clearTimeout(this.leaving);
    for (const [seq, element] of this.cards) {
      if (!/\bto-/.test(element.className)) continue;
      element.remove();
      this.cards.delete(seq);
    }
  }
}

/** Completed tricks of this deal as small rows, those given. */
export function trickRows(page: Page, table: Table, which: readonly number[]): HTMLElement {
  const rows = which.map((index) => {
    const trick = table.tricks[index];
    if (trick === undefined) return null;
    const faces = trick.plays.map((play) => cardFace(page, play.card as Code | null));
    const names = trick.plays.map((play) => `${page.names[play.seat]}: ${cardName(play.card)}`).join(", ");
    const taker = trick.taker === null ? say("nobody") : (page.names[trick.taker] ?? "");
    return h(
      "div",
      { class: "taken-trick", title: names },
      h("span", { class: "seat-letter" }, String(index + 1)),
      h("span", { class: "cards" }, ...faces),
      h("span", {}, `${taker}${trick.points === null ? "" : ` · ${trick.points}`}`),
    );
  });
  return h("div", { class: "taken-tricks" }, ...rows);
}
