/**
 * The near hand and its open cards: buttons in a row, with arrows to move, Enter or tap to play, digits to jump. While
 * cards are chosen (to put away, to exchange), a tap chooses instead.
 */

import { type Code, isCode } from "../table/cards";
import { sortHand } from "../table/hand-order";
import { cardFace, h } from "../dom";
import { openCards, type Pile } from "../table/laying-out";
import { cardName, type Page, say } from "../page";
import type { Table } from "../table/table";

export interface HandState {
  table: Table;
  seat: number;
  /** Whether this hand may play a card. */
  mine: boolean;
  legal: readonly Code[];
  /** A sent card without an answer. */
  waiting: Code | null;
  /** A card chosen before the turn. */
  ahead: Code | null;
  /** The card of a requested tip. */
  tipped: Code | null;
  /** The number of cards to choose; null: none. */
  count: number | null;
  picked: readonly Code[];
  /** The animation delay of a card as CSS time; null: it is in place. */
  dealt: (index: number) => string | null;
}

/** On a phone a hand with more cards has two rows, and longer ones with still more: `hand.css` draws them. */
const ONE_ROW = 9;
const TWO_SHORT_ROWS = 12;

/** The size of the hand when its first card was played; before that, its current size. */
export function heldAtFirst(table: Table, seat: number): number {
  const played = [...table.tricks.flatMap((trick) => trick.plays), ...table.trick].filter((play) => play.seat === seat);
  // Each place of the table begins with two cards.
  const fromTable = (table.laid.piles[seat] ?? []).reduce((sum, pile) => sum + 2 - Number(pile.open !== null) - Number(pile.closed), 0);
  return (table.sizes[seat] ?? 0) + played.length - fromTable;
}

export class Hand {
  #chosen: Code | null = null;
  #order: Code[] = [];
  #state: HandState | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: Page,
    private readonly onPlay: (card: Code) => void,
    private readonly onRefuse: (card: Code) => void,
    private readonly twice: () => boolean,
    private readonly onPick: (card: Code) => void,
    /** The place of cards before this seat, in games with such cards. */
    private readonly table: HTMLElement,
    /** Called at the first of two taps. */
    private readonly onArm: (card: Code) => void,
  ) {
    for (const place of [root, table]) place.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", (event) => this.#figure(event));
  }

  draw(state: HandState): void {
    this.#state = state;
    const { table, seat, mine } = state;
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.["card"];
    if (!mine) this.#chosen = null;
    const piles = table.laid.piles[seat] ?? [];
    const first = heldAtFirst(table, seat);
    this.root.dataset["rows"] = first > ONE_ROW ? "2" : "1";
    const closed = table.laid.extra[seat] ?? 0;
    const own = this.root.closest<HTMLElement>(".own-cards");
    own?.style.setProperty("--held", String(Math.max(first, 1)));
    own?.style.setProperty("--pile-cards", String(piles.length + closed));
    this.root.toggleAttribute("data-long", first > TWO_SHORT_ROWS);
    this.table.hidden = piles.length === 0 && closed === 0;
    if (table.faceDown[seat]) {
      const backs = Array.from({ length: table.sizes[seat] ?? 0 }, () =>
        h("li", {}, h("span", { class: "hand-card" }, cardFace(this.page, null))),
      );
      this.root.replaceChildren(...backs);
      this.#land(state);
      return;
    }
    const held = sortHand(table.hands[seat] ?? [], table.contract);
    this.#order = [...held, ...openCards(table, seat)];
    this.root.replaceChildren(...held.map((card, index) => h("li", {}, this.#button(card, index, state))));
    this.#land(state);
    const beside = Array.from({ length: closed }, () => h("li", { class: "pile" }, cardFace(this.page, null)));
    this.table.replaceChildren(...piles.map((pile) => this.#pile(pile, state)), ...beside);
    if (isCode(focused)) this.#focus(this.#order.includes(focused) ? focused : this.#order[0]);
  }

  /** Animate only the drawing of a card: the button works from the first moment. */
  #land(state: HandState): void {
    this.root.querySelectorAll<SVGElement>(".card-face").forEach((face, index) => {
      const delay = state.dealt(index);
      if (delay !== null) face.style.animation = `lands 0.25s ${delay} ease-out backwards`;
    });
  }

  #pile(pile: Pile, state: HandState): HTMLElement {
    const below = pile.closed ? h("span", { class: "below" }, cardFace(this.page, null, { mute: pile.open !== null })) : null;
    const above = pile.open === null ? null : this.#button(pile.open, this.#order.indexOf(pile.open), state);
    return h("li", { class: pile.open === null && !pile.closed ? "pile bare" : "pile" }, below, above);
  }

  #button(card: Code, index: number, state: HandState): HTMLElement {
    const { mine, legal, waiting, ahead, tipped, count, picked } = state;
    const name = { card: cardName(card) };
    const taken = state.table.laid.took.includes(card);
    const lit = mine && legal.includes(card);
    const chosen = card === this.#chosen || card === waiting || card === ahead || picked.includes(card);
    const classes = ["hand-card", lit ? "legal" : "", mine && !lit ? "dim" : "", count === null ? "" : "to-pick", chosen ? "selected" : "", card === tipped ? "tipped" : "", taken ? "taken-up" : ""];
    return h(
      "button",
      {
        type: "button",
        class: classes.filter(Boolean).join(" "),
        "data-card": card,
        "aria-label": lit ? say("hand.playable", name) : taken ? say("hand.taken_up", name) : name.card,
        "aria-disabled": lit || count !== null ? null : "true",
        "aria-pressed": count === null ? null : String(picked.includes(card)),
        "aria-keyshortcuts": index < 9 ? String(index + 1) : null,
        click: () => this.#tap(card),
      },
      cardFace(this.page, card, { mute: true }),
    );
  }

  #tap(card: Code): void {
    const state = this.#state;
    if (state === null || state.waiting !== null) return;
    if (state.count !== null) {
      this.onPick(card);
      return;
    }
    if (!state.mine || !state.legal.includes(card)) {
      this.#shake(card);
      this.onRefuse(card);
      return;
    }
    if (this.twice() && this.#chosen !== card) {
      this.#chosen = card;
      this.draw(state);
      this.#focus(card);
      this.onArm(card);
      return;
    }
    this.#chosen = null;
    this.onPlay(card);
  }

  #key(event: KeyboardEvent): void {
    const card = (event.target as HTMLElement).dataset["card"];
    if (!isCode(card)) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const at = this.#order.indexOf(card) + step;
      this.#focus(this.#order[(at + this.#order.length) % this.#order.length]);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.#focus(event.key === "Home" ? this.#order[0] : this.#order[this.#order.length - 1]);
    }
  }

  #figure(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).matches("input, select, textarea")) return;
    const card = /^[1-9]$/.test(event.key) ? this.#order[Number(event.key) - 1] : undefined;
    if (card !== undefined) this.#focus(card);
  }

  #focus(card: Code | undefined): void {
    if (card !== undefined) this.#of(card)?.focus();
  }

  #shake(card: Code): void {
    const button = this.#of(card);
    button?.classList.remove("shake");
    void button?.offsetWidth;
    button?.classList.add("shake");
  }

  #of(card: Code): HTMLElement | null {
    const selector = `[data-card="${card}"]`;
    return this.root.querySelector<HTMLElement>(selector) ?? this.table.querySelector<HTMLElement>(selector);
  }
}
