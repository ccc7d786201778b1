/**
 * All cards of the deck to choose from. The buttons are reused: rebuilding 36 faces after each tap is slow on a
 * phone, and would move the focus.
 */

import { type Code, DECK } from "../table/cards";
import { cardFace, h } from "../dom";
import { cardName, type Page, say } from "../page";

/** The state of a card. */
export interface Offered {
  used: boolean;
  held: boolean;
  /** Null where cards are played instead of chosen. */
  chosen: boolean | null;
  /** The proven holder, and the short form. */
  owner: { name: string; short: string } | null;
}

export class Picker {
  readonly #buttons = new Map<Code, HTMLButtonElement>();

  constructor(
    private readonly root: HTMLElement,
    private readonly page: Page,
    private readonly take: (card: Code) => void,
  ) {
    this.#dress();
    document.addEventListener("puur:deck", () => this.#dress());
  }

  get hidden(): boolean {
    return this.root.hidden;
  }

  /** Show the state of each card; null hides all of them. */
  draw(stands: ((card: Code) => Offered) | null): void {
    this.root.hidden = stands === null;
    if (stands === null) return;
    for (const [card, button] of this.#buttons) {
      const { used, held, chosen, owner } = stands(card);
      button.disabled = used;
      button.classList.toggle("held", held);
      button.setAttribute("aria-label", owner ? say("transcribe.card_of", { card: cardName(card), name: owner.name }) : cardName(card));
      if (chosen === null) button.removeAttribute("aria-pressed");
      else button.setAttribute("aria-pressed", String(chosen));
      const tag = button.querySelector(".owner");
      if (owner === null) tag?.remove();
      else if (tag !== null) tag.textContent = owner.short;
      else button.append(h("span", { class: "owner", "aria-hidden": "true" }, owner.short));
    }
  }

  /** The faces of the current deck. */
  #dress(): void {
    for (const card of DECK) {
      const face = cardFace(this.page, card, { mute: true });
      const button = this.#buttons.get(card);
      if (button) button.querySelector(".card-face")?.replaceWith(face);
      else this.#buttons.set(card, h("button", { type: "button", click: () => this.take(card) }, face));
    }
    this.root.replaceChildren(...this.#buttons.values());
  }
}
