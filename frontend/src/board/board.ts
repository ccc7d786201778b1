/** The board: seats, the trick in the middle, contract and deal above. Drawn from the folded table. */

import { lastWord } from "../table/calls";
import { type Code } from "../table/cards";
import { sortHand } from "../table/hand-order";
import { Dealing, TrickFlights } from "./card-flights";
import { countedDeal, DealEnd } from "./deal-end";
import { calm, cardFace, find, h, settle } from "../dom";
import { GameEnd } from "./game-end";
import { heapFor, Heaps } from "./heaps";
import { mayCount } from "../table/melds";
import { contractName, type Page, say, slotName } from "../page";
import { Rail, sideMark } from "./rail";
import { chooserOf, rulesOf } from "../table/rules";
import { standingOf } from "../table/standing";
import { declarerOf, type Play, SENT, sideOf, sideShown, type Table, type Trick } from "../table/table";
import { winningPlay } from "../table/turn";

export const PLACES: Record<number, readonly string[]> = {
  2: ["bottom", "top"],
  3: ["bottom", "right", "left"],
  4: ["bottom", "right", "top", "left"],
};
/** Legal cards by seat, as far as the reader may know them. */
export type Lit = ReadonlyMap<number, readonly Code[]>;
const NOTHING_LIT: Lit = new Map();

const TRICK_LINGER_MS = 1500;

export interface BoardOptions {
  /** The seat at the near edge. */
  near: number;
  /** Show every known hand face up (replay, referee). */
  openHands: boolean;
  /** Another module draws the near seat's hand. */
  hideNearHand: boolean;
  /** Seat → the URL of its player, "" for none. */
  people?: readonly string[];
  /** Whether a taken trick stays visible: the reader navigates step by step. */
  stays?: () => boolean;
}

export class Board {
  readonly status: HTMLElement;
  readonly #places = h("div", { class: "places" });
  readonly #trick = h("div", { class: "trick", role: "group" });
  readonly #laid = h("div", { class: "laid" });
  readonly #spots = h("div", { class: "spots" });
  readonly #cards = new Map<number, HTMLElement>();
  readonly #rail: Rail;
  readonly #end: GameEnd | null;
  /** On the slate of a score sheet: the players' places after the last deal. */
  readonly #paperEnd = document.querySelector<HTMLElement>("[data-paper-end]");
  readonly #dealEnd: DealEnd;
  readonly dealing: Dealing;
  readonly #heaps: Heaps;
  readonly #flights = new TrickFlights(this.#trick);
  #linger = 0;
  #shownTrick = -1;
  #seen: Table | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: Page,
    private readonly options: BoardOptions,
  ) {
    this.status = root.querySelector<HTMLElement>(".table-status") ?? h("div", { class: "table-status", role: "status", "aria-live": "polite" });
    this.#trick.setAttribute("aria-label", say("table.trick"));
    this.#places.append(this.#laid, this.#trick);
    this.#heaps = new Heaps(this.#places, page);
    this.#places.append(this.#spots);
    this.dealing = new Dealing(this.#places, page);
    this.#rail = new Rail(find("[data-rail]"), page);
    const end = document.querySelector<HTMLElement>("[data-game-end]");
    this.#end = end && new GameEnd(end, page);
    root.append(this.#places, this.status);
    this.#dealEnd = new DealEnd(root, page, this.#heaps);
  }

  at(table: Table, seat: number): string {
    const places = PLACES[table.seats] ?? PLACES[4]!;
    return places[(seat - this.options.near + table.seats) % table.seats] ?? "top";
  }

  /** `live`: cards move; otherwise (a jump in a replay, a first load) everything is placed at once. */
  draw(table: Table, acting: number | null, live: boolean, lit: Lit = NOTHING_LIT): void {
    const over = table.winners !== null || table.closed !== null;
    this.root.dataset["seq"] = String(table.seq);
    this.root.dataset["turn"] = over ? "over" : String(acting ?? "");
    this.#rail.draw(table, live);
    this.#end?.draw(table);
    if (this.#paperEnd !== null) this.#paperEnd.hidden = table.winners === null;
    this.#places.dataset["players"] = String(table.seats);
    this.#places.classList.toggle("open", this.options.openHands && table.hands.some((hand) => hand !== null));
    this.#drawLaid(table);
    this.dealing.take(table, live);
    settle(this.#spots, Array.from({ length: table.seats }, (_, seat) => this.#spot(table, seat, acting === seat, lit.get(seat))));
    this.dealing.fly(table, (seat) => this.#cardsOf(seat));
    this.#drawTrick(table, live);
    this.#dealEnd.draw(table, live, (seat) => this.at(table, seat));
  }

  /** The element of a seat's cards, or its player's if the cards are out of view. */
  #cardsOf(seat: number): Element {
    const hand = this.root.parentElement?.querySelector(".own-cards");
    if (this.options.hideNearHand && seat === this.options.near && hand) return hand;
    const spot = this.#places.querySelector(`.spot[data-seat="${seat}"]`) ?? this.#trick;
    const backs = spot.querySelector(".spot-backs");
    return backs !== null && backs.getClientRects().length > 0 ? backs : (spot.querySelector(".spot-plate") ?? spot);
  }

  /** Draw the cards beside the trick: the talon, or the turned card on top of the stock. */
  #drawLaid(table: Table): void {
    const { talon, turned } = table.laid;
    const parts: Element[] = [];
    const lies = talon !== null && table.contract === null;
    if (lies) {
      const cards = [...talon.open, ...Array<null>(talon.closed).fill(null)];
      parts.push(h("div", { class: "talon", role: "group", "aria-label": say("table.talon") }, ...cards.map((card) => cardFace(this.page, card))));
    }
    if (turned !== null && turned.seat === null) {
      const under = table.laid.extra.length > 0 ? cardFace(this.page, null, { mute: true }) : null;
      parts.push(h("div", { class: under ? "turned stock" : "turned", role: "group", "aria-label": say("table.turned") }, under, cardFace(this.page, turned.card)));
    }
    settle(this.#laid, parts);
    this.#laid.hidden = parts.length === 0;
    this.#laid.classList.toggle("middle", lies);
  }

  #spot(table: Table, seat: number, acting: boolean, legal: readonly Code[] | undefined): HTMLElement {
    const place = this.at(table, seat);
    const notes: HTMLElement[] = acting ? [h("span", { class: "spot-clock", hidden: true, "aria-hidden": "true" })] : [];
    if (table.dealer !== null && (table.dealer + 1) % table.seats === seat) notes.push(h("span", { class: "tag" }, say("table.forehand")));
    if (table.pushed.includes(seat)) notes.push(h("span", { class: "tag on-rail" }, say("table.pushed")));
    // A seat that plays against all others always chose the contract, and needs no tag for it.
    if (chooserOf(rulesOf(this.page), table) === seat && (declarerOf(table) !== seat || table.contract === null)) notes.push(h("span", { class: "tag strong on-rail" }, table.contract === null && table.slot !== null ? slotName(table.slot) : contractName(table.contract)));
    notes.push(...this.#words(table, seat));
    if (table.stoeck.some((s) => s.seat === seat)) notes.push(h("span", { class: "tag strong" }, say("table.stoeck")));
    const shown = table.shown.some((meld) => meld.seat === seat) ? "tag melds-open" : "tag";
    for (const meld of mayCount(table, seat)) {
      notes.push(h("span", { class: shown }, say("table.melds", { points: meld.declared.map((d) => d.points).join(" + ") })));
    }
    return h(
      "div",
      { class: acting ? "spot acting" : "spot", "data-at": place, "data-seat": seat },
      h(
        "span",
        { class: "spot-plate" },
        sideMark(sideShown(table, seat)),
        this.#name(seat),
        this.#plays(table, seat),
        acting && h("span", { class: "visually-hidden" }, say("table.acting")),
      ),
      this.#hand(table, seat, place, legal),
      this.#piles(table, seat, place),
      h("div", { class: "spot-notes" }, ...notes),
    );
  }

  /** Label for screen readers at the viewer's own table: partner or opponent. */
  #plays(table: Table, seat: number): HTMLElement | null {
    const { near, hideNearHand } = this.options;
    const side = sideShown(table, near);
    if (!hideNearHand || seat === near || side === null || table.sides >= table.seats) return null;
    return h("span", { class: "visually-hidden" }, `, ${say(sideShown(table, seat) === side ? "table.partner" : "table.opponent")}`);
  }

  /** The seat's player, as a link to their page if there is one. */
  #name(seat: number): HTMLElement {
    const name = this.page.names[seat] ?? "";
    const address = this.options.people?.[seat];
    return address ? h("a", { class: "spot-name", href: address }, name) : h("span", { class: "spot-name" }, name);
  }

  /** What a seat has announced before the first card, as far as it is known. */
  #words(table: Table, seat: number): HTMLElement[] {
    const tag = (text: string, strong = false): HTMLElement => h("span", { class: strong ? "tag strong" : "tag" }, text);
    const words: HTMLElement[] = [];
    const declares = declarerOf(table) === seat;
    const word = table.wonIn === table.deal && table.wonIn > 0 ? null : lastWord(table, seat);
    const standing = standingOf(table, rulesOf(this.page));
    const side = sideOf(table, seat);
    const has = standing?.have[side] ?? null;
    const goal = standing?.goals[side] ?? null;
    if (declares) words.push(tag(has === null || goal === null ? say("table.declarer", { points: table.bid }) : say("table.declarer_has", { goal, points: has }), true));
    else if (word !== null) words.push(tag(word.key === "bid" ? String(word.points) : say(`table.${word.key}`)));
    const prediction = table.calls.predictions[seat];
    if (prediction && standing?.aimed === "predicted" && goal !== null && has !== null) words.push(tag(say("table.predicts_has", { goal, points: has }), true));
    else if (prediction) words.push(tag(prediction.points === null ? say("table.sealed") : say("table.predicts", { points: prediction.points }), true));
    const { extra, exchanged, turned, away } = table.laid;
    if (exchanged.includes(seat)) words.push(tag(say(extra[seat] ? "table.kept" : "table.exchanged")));
    if (away?.seat === seat && table.tricks.length === 0) words.push(tag(say("table.put_away", { count: away.size })));
    if (turned?.seat === seat && table.trick.length === 0 && table.tricks.length === 0) {
      words.push(h("span", { class: "turned small" }, cardFace(this.page, turned.card)));
    }
    return words;
  }

  /** The cards on the table before a seat: open ones on closed ones. */
  #piles(table: Table, seat: number, place: string): HTMLElement | null {
    const piles = table.laid.piles[seat] ?? [];
    if (piles.length === 0 || (place === "bottom" && this.options.hideNearHand)) return null;
    const pileElements = piles.map(({ open, closed }) =>
      h(
        "span",
        { class: open === null && !closed ? "pile bare" : "pile" },
        closed && h("span", { class: "below" }, cardFace(this.page, null, { mute: open !== null })),
        open !== null && cardFace(this.page, open),
      ),
    );
    return h("div", { class: "piles", role: "group", "aria-label": say("table.cards_before", { name: this.page.names[seat] }) }, ...pileElements);
  }

  #hand(table: Table, seat: number, place: string, legal: readonly Code[] | undefined): HTMLElement | null {
    const size = table.sizes[seat] ?? 0;
    if (place === "bottom" && this.options.hideNearHand) return null;
    const known = table.hands[seat];
    if (this.options.openHands && known && known.length > 0) {
      const slots = sortHand(known, table.contract).map((card) => {
        const lit = legal === undefined ? "" : legal.includes(card) ? " legal" : " illegal";
        return h("span", { class: `slot${lit}` }, cardFace(this.page, card));
      });
      return h("div", { class: "spot-cards" }, ...slots);
    }
    const extra = table.laid.extra[seat] ?? 0;
    const backs = Array.from({ length: Math.min(size, 18) + extra }, (_, index) => {
      const back = cardFace(this.page, null, { mute: true });
      const delay = this.dealing.delay(table, seat, index);
      if (delay !== null) back.style.animation = `lands 0.1s ${delay} backwards`;
      return back;
    });
    return h("div", { class: "spot-backs", role: "img", "aria-label": extra ? say("table.cards_left_extra", { cards: size, extra }) : say("table.cards_left", { cards: size }) }, ...backs);
  }

  #drawTrick(table: Table, live: boolean): void {
    const complete = table.trick.length === 0 ? table.lastTrick : null;
    this.#seen = table;
    if (!live) this.#layOut(table, complete?.seq === table.seq ? complete : null);
    else if (complete !== null && complete.seq > this.#shownTrick) this.#showTaken(table, complete);
    else if (complete === null || this.#cards.size === 0 || countedDeal(table) !== null || complete !== table.tricks[table.tricks.length - 1]) {
      this.#sweep(table, table.trick);
      this.#show(table, table.trick, true, winningPlay(table));
    }
    this.#shownTrick = table.lastTrick?.seq ?? -1;
  }

  /** Place everything at once. `last`: the trick that is being taken. */
  #layOut(table: Table, last: Trick | null): void {
    window.clearTimeout(this.#linger);
    this.#flights.clear();
    const winner = last ? last.plays.findIndex((play) => play.seat === last.taker) : winningPlay(table);
    this.#show(table, last?.plays ?? table.trick, false, winner);
    this.#drawHeaps(last === null ? 0 : 1);
  }

  /** Show a taken trick for a while, or until the reader continues, before it moves to its taker's heap. */
  #showTaken(table: Table, trick: Trick): void {
    const lain = new Set([...this.#cards.keys()]);
    if (!trick.plays.some((play) => lain.has(play.seq))) this.#sweep(table, trick.plays);
    this.#show(table, trick.plays, true, trick.plays.findIndex((play) => play.seat === trick.taker));
    this.#drawHeaps(1);
    window.clearTimeout(this.#linger);
    this.#linger = window.setTimeout(() => this.options.stays?.() || this.#sweep(table), TRICK_LINGER_MS);
  }

  #drawHeaps(openTricks: number): void {
    const table = this.#seen;
    if (table !== null) this.#heaps.draw(table, (seat) => this.at(table, seat), openTricks);
  }

  #show(table: Table, plays: readonly Play[], live: boolean, winner: number): void {
    this.#rename(plays);
    const wanted = new Set(plays.map((play) => play.seq));
    for (const [seq, element] of this.#cards) {
      if (wanted.has(seq)) continue;
      element.remove();
      this.#cards.delete(seq);
    }
    const marked = new Set(table.infractions.map((infraction) => infraction.atSeq));
    plays.forEach((play, index) => {
      let element = this.#cards.get(play.seq);
      if (element === undefined) {
        element = h("div", { class: "trick-card", "data-at": this.at(table, play.seat) });
        this.#trick.append(element);
        this.#cards.set(play.seq, element);
      }
      const fresh = element.childElementCount === 0;
      settle(element, [cardFace(this.page, play.card), h("span", { class: "visually-hidden" }, this.page.names[play.seat] ?? "")]);
      if (fresh && live && !calm()) this.#flights.arrive(element, this.#heldCard(play), this.#cardsOf(play.seat));
      element.dataset["card"] = play.card ?? "";
      element.classList.toggle("sent", play.seq === SENT);
      element.classList.toggle("winning", index === winner);
      element.classList.toggle("marked", marked.has(play.seq));
    });
  }

  /** A card as the reader last saw it in the own hand, if at all. */
  #heldCard(play: Play): Element | null {
    return this.root.parentElement?.querySelector(`.own-cards [data-card="${play.card ?? ""}"]`) ?? null;
  }

  /** Keep a card in place if it was already shown as sent and its event arrives now. */
  #rename(plays: readonly Play[]): void {
    const sent = this.#cards.get(SENT);
    const stored = plays.find((play) => play.seq !== SENT && !this.#cards.has(play.seq) && play.card === sent?.dataset["card"]);
    if (sent === undefined || stored === undefined) return;
    this.#cards.delete(SENT);
    this.#cards.set(stored.seq, sent);
  }

  /** Move all cards except `plays` to the taker's heap; later events do not wait for that. */
  #sweep(table: Table, plays: readonly Play[] = []): void {
    window.clearTimeout(this.#linger);
    const wanted = new Set(plays.map((play) => play.seq));
    const gone = [...this.#cards].filter(([seq]) => !wanted.has(seq) && seq !== SENT);
    const taker = table.lastTrick?.taker ?? null;
    const heap = taker === null ? null : this.#heaps.of(this.at(table, heapFor(table, taker)));
    for (const [seq] of gone) this.#cards.delete(seq);
    this.#flights.take(gone.map(([, element]) => element), heap, () => this.#drawHeaps(0));
  }
}
