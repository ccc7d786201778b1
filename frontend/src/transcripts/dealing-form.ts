/**
 * The form of a recorded deal: its known cards before the play. Open cards must be known; hands are optional. The
 * server has sent the indexes of each place in the deck.
 */

import type { Deal } from "../generated/types";
import type { Code } from "../table/cards";
import { cardFace, h } from "../dom";
import { type Page, say } from "../page";
import type { Place, Rules } from "../table/rules";
import type { Table } from "../table/table";

const WHOLE = 36;
const OPEN = ["turned", "talon", "table", "cut"];

/** Whether cards of hands will be named before the deal. */
let someKnown = false;
/** The deal that was dealt out of turn, until its dealer is named. */
let outOfTurn: number | null = null;

/**
 * The beginning of a deal: the question for forehand in the first deal, a button in later ones, and the choice of
 * another dealer.
 */
export function askForDeal(root: HTMLElement, page: Page, table: Table, begin: (dealer: number | null, always: boolean) => void, redraw: () => void): void {
  const first = table.deal === 0;
  const other = !first && outOfTurn === table.deal + 1;
  const box = h("input", { type: "checkbox", "data-some-known": true, change: () => (someKnown = box.checked) });
  box.checked = someKnown;
  const button = (text: string, look: string, click: () => void): HTMLElement => h("button", { type: "button", class: `button ${look}`, click }, text);
  const turn = (): void => {
    outOfTurn = other ? null : table.deal + 1;
    redraw();
  };
  const names = page.names.slice(0, table.seats).map((name, seat) => button(name, "", () => begin(first ? (seat + table.seats - 1) % table.seats : seat, someKnown)));
  const next = [button(say("transcribe.next_deal", { deal: table.deal + 1 }), "primary", () => begin(null, someKnown)), button(say("transcribe.other_dealer"), "quiet", turn)];
  root.replaceChildren(
    h("p", {}, say(first ? "transcribe.who_is_forehand" : other ? "transcribe.who_dealt" : "transcribe.deal_over")),
    h("div", { class: "row" }, ...(first || other ? names : next), other && button(say("choice.late_not"), "quiet", turn)),
    h("label", { class: "check" }, box, h("span", {}, say("transcribe.some_known"))),
  );
}

export class DealingForm {
  /** Cards by place, in the order of `places`. */
  #known: Code[][];
  #active: number;
  readonly #places: Place[];

  constructor(
    private readonly page: Page,
    private readonly rules: Rules,
    private readonly table: Table,
    /** The dealer in the first deal, and in a deal out of turn. */
    readonly dealer: number | null,
  ) {
    const laid = rules.places[table.declarer === null ? "first" : "later"] ?? [];
    const cut: Place[] = rules.cuts ? [{ kind: "cut", turn: null, at: [-1] }] : [];
    const order = [...OPEN, "hand", "extra", "closed"];
    this.#places = [...cut, ...laid].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    this.#known = this.#places.map(() => []);
    this.#active = 0;
  }

  /** Whether open cards must be named before the deal can be played. */
  get asks(): boolean {
    return this.#places.some((place) => OPEN.includes(place.kind));
  }

  /** The number of cards of the active place. */
  get room(): number {
    return this.#places[this.#active]?.at.length ?? 0;
  }

  /** The named cards of the active place. */
  get picked(): readonly Code[] {
    return this.#known[this.#active] ?? [];
  }

  /** Cards named for other places. The cut card may also be at any place. */
  get used(): Set<Code | null> {
    return new Set(this.#known.flatMap((cards, at) => (at === this.#active || this.#places[at]?.kind === "cut" ? [] : cards)));
  }

  /** Toggle a card; the next open place becomes active when one is full. Returns whether all open places are complete. */
  pick(card: Code): boolean {
    const cards = this.#known[this.#active] ?? [];
    const has = cards.includes(card);
    if (!has && cards.length >= this.room) return false;
    this.#known[this.#active] = has ? cards.filter((other) => other !== card) : [...cards, card];
    if (has || cards.length + 1 < this.room) return false;
    const next = this.#places.findIndex((place, at) => OPEN.includes(place.kind) && (this.#known[at]?.length ?? 0) < place.at.length);
    const naming = this.#places[this.#active];
    if (next >= 0) this.#active = next;
    return next < 0 && naming !== undefined && OPEN.includes(naming.kind);
  }

  /** The deal command. */
  command(): Deal {
    const deck = Array<Code | null>(WHOLE).fill(null);
    const named: Pick<Deal, "cut"> = {};
    for (const [at, place] of this.#places.entries()) {
      const cards = this.#known[at] ?? [];
      if (place.kind === "cut") {
        if (cards[0] !== undefined) named.cut = cards[0];
        continue;
      }
      const rest = cards.filter((card) => !deck.includes(card));
      for (const index of place.at) if (deck[index] === null) deck[index] = rest.shift() ?? null;
    }
    return { cmd: "deal", ...(this.dealer === null ? {} : { dealer: this.dealer }), ...(deck.some((card) => card !== null) ? { deck } : {}), ...named };
  }

  draw(root: HTMLElement, redraw: () => void, begin: () => void): void {
    // The game decides the dealer after a deal that did not count, or that was dealt in another's place. Then the form
    // names the order instead of the people.
    const sure = this.dealer !== null || this.table.deal === 0 || (!this.table.exchanged && this.table.rows.some((row) => row.deal === this.table.deal && !row.annulled));
    const forehand = ((this.dealer ?? this.table.dealer ?? this.table.seats - 1) + (this.dealer === null ? 2 : 1)) % this.table.seats;
    const first = this.rules.marked && this.table.deal === 0 ? 0 : forehand;
    const rows = this.#places.map((place, at) => {
      const cards = this.#known[at] ?? [];
      const name = place.turn === null ? "" : `${sure ? this.page.names[(first + place.turn) % this.table.seats] : place.turn + 1}: `;
      const choose = (): void => {
        this.#active = at;
        redraw();
      };
      return h(
        "button",
        { type: "button", class: "deal-place", "aria-pressed": String(at === this.#active), "data-place": place.kind, click: choose },
        h("span", {}, `${name}${say(`place.${place.kind}`)}`),
        h("small", {}, OPEN.includes(place.kind) ? say("place.of", { known: cards.length, size: place.at.length }) : say("place.if_known", { known: cards.length, size: place.at.length })),
        h("span", { class: "cards" }, ...cards.map((card) => cardFace(this.page, card))),
      );
    });
    const ready = h("button", { type: "button", class: "button primary", click: begin }, say("transcribe.next_deal", { deal: this.table.deal + 1 }));
    root.replaceChildren(h("p", {}, say("transcribe.what_is_known")), h("div", { class: "deal-places" }, ...rows), ready);
  }
}
