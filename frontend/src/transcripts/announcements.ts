/**
 * Announcements beside the cards of a recorded deal: melds with their cards or only heard, a meld or the Stöck after
 * its card, and shown melds. The server reports late ones.
 */

import type { Command, Play } from "../generated/types";
import { type Code, DECK } from "../table/cards";
import { h } from "../dom";
import { cardName, say } from "../page";
import type { Rules } from "../table/rules";
import type { Table } from "../table/table";

const HEARD = [20, 50, 100, 150, 200];

export interface Moment {
  table: Table;
  rules: Rules;
  seat: number | null;
  playing: boolean;
}

export class Saying {
  /** The cards of the meld that is being named; null: none. */
  naming: readonly Code[] | null = null;
  #melds: Code[][] = [];
  #heard: number[] = [];
  #showing = false;

  constructor(
    private readonly send: (command: Command) => void,
    private readonly redraw: () => void,
  ) {}

  /** Toggle a card of the meld that is being named. */
  take(card: Code): void {
    const now = this.naming ?? [];
    this.naming = now.includes(card) ? now.filter((other) => other !== card) : [...now, card];
  }

  /** The declared melds, to be sent with the card. */
  withCard(): Pick<Play, "melds" | "heard"> {
    const said = { ...(this.#melds.length > 0 ? { melds: this.#melds } : {}), ...(this.#heard.length > 0 ? { heard: this.#heard.map((points) => ({ points })) } : {}) };
    this.#melds = [];
    this.#heard = [];
    return said;
  }

  draw(root: HTMLElement, moment: Moment): void {
    const { table, rules, seat, playing } = moment;
    root.hidden = !playing || seat === null || !(rules.melds || rules.stoeck);
    if (root.hidden || seat === null) {
      this.naming = null;
      this.withCard();
      return;
    }
    const began = table.tricks.length > 0 || table.trick.some((play) => play.seat === seat);
    root.replaceChildren(...(this.naming === null ? this.#offers(moment, seat, began) : this.#choosing(seat, began, this.naming)));
  }

  #offers({ table, rules }: Moment, seat: number, began: boolean): HTMLElement[] {
    const said = this.#melds.map((cards, at) => this.#button(say("transcribe.meld_out", { cards: cards.map((card) => cardName(card)).join(", ") }), () => this.#melds.splice(at, 1)));
    const heard = this.#heard.map((points, at) => this.#button(say("transcribe.meld_out", { cards: String(points) }), () => this.#heard.splice(at, 1)));
    const parts = [...said, ...heard];
    if (rules.melds) parts.push(this.#button(say(began ? "transcribe.meld_after" : "transcribe.meld"), () => this.#name(false)));
    if (table.declared.some((one) => one.seat === seat && (one.melds ?? []).length < one.declared.length)) {
      parts.push(this.#button(say("transcribe.show"), () => this.#name(true)));
    }
    if (rules.stoeck && !rules.stoeck_signed && began && table.stoeck.length === 0) {
      parts.push(this.#button(say("transcribe.stoeck_after"), () => this.send({ cmd: "declare", seat, stoeck: true })));
    }
    return parts;
  }

  #choosing(seat: number, began: boolean, now: readonly Code[]): HTMLElement[] {
    const cards = DECK.filter((card) => now.includes(card));
    const done = this.#button(say(this.#showing ? "transcribe.show_done" : "transcribe.meld_done", { count: now.length }), () => this.#named(seat, began, cards), now.length < 3);
    const heard = this.#showing ? [] : HEARD.map((points) => this.#button(say("transcribe.heard", { points }), () => this.#hear(seat, began, points)));
    return [done, ...heard, this.#button(say("transcribe.meld_not"), () => (this.naming = null))];
  }

  #name(showing: boolean): void {
    this.naming = [];
    this.#showing = showing;
  }

  #named(seat: number, began: boolean, cards: Code[]): void {
    this.naming = null;
    if (this.#showing) this.send({ cmd: "show", seat, melds: [cards] });
    else if (began) this.send({ cmd: "declare", seat, melds: [cards] });
    else this.#melds = [...this.#melds, cards];
  }

  #hear(seat: number, began: boolean, points: number): void {
    this.naming = null;
    if (began) this.send({ cmd: "declare", seat, heard: [{ points }] });
    else this.#heard = [...this.#heard, points];
  }

  #button(text: string, act: () => void, disabled = false): HTMLElement {
    const click = (): void => {
      act();
      this.redraw();
    };
    return h("button", { type: "button", class: "button small", disabled, click }, text);
  }
}
