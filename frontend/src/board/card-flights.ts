/** The flights of cards: the deal, a card to the trick, and a taken trick to its heap. Only the drawing moves; the card is in place at once. */

import { calm, cardFace, h } from "../dom";
import type { Page } from "../page";
import type { Table } from "../table/table";

/** The number of cards dealt at a time. */
const PACKET_CARDS = 3;
/** Milliseconds between two packets, and of one flight. */
const PACKET_INTERVAL_MS = 75;
const FLIGHT_MS = 280;
/** Milliseconds of the flight of a taken trick, as in `swept` of the styles. */
const TRICK_SWEEP_MS = 420;

export interface Way {
  x: number;
  y: number;
  scale: number;
}

/** The vector between the centres of two elements in pixels, and their size ratio. */
export function wayBetween(from: Element, to: Element): Way {
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  return { x: a.left + a.width / 2 - b.left - b.width / 2, y: a.top + a.height / 2 - b.top - b.height / 2, scale: b.width > 0 ? a.width / b.width : 1 };
}

/** Milliseconds until a dealt card lands: three cards at a time, beginning after the dealer. */
export function landsAfter(table: Pick<Table, "dealer" | "seats">, seat: number, index: number): number {
  const turn = (seat - (table.dealer ?? 0) - 1 + 2 * table.seats) % table.seats;
  return (Math.floor(index / PACKET_CARDS) * table.seats + turn) * PACKET_INTERVAL_MS + FLIGHT_MS;
}

/** The deal animation: packets fly from the dealer to every hand. */
export class Dealing {
  #deal = 0;
  #began = 0;
  #until = 0;
  #due = false;
  #packets: HTMLElement[] = [];

  constructor(
    private readonly places: HTMLElement,
    private readonly page: Page,
  ) {}

  /** `live`: animate the deal. After a jump, all cards are in place. */
  take(table: Table, live: boolean): void {
    const dealt = table.sizes.some((size) => size > 0);
    if (live && dealt && this.#deal > 0 && table.deal === this.#deal + 1 && table.dealer !== null && !calm()) {
      this.#due = true;
      this.#began = performance.now();
      this.#until = this.#began + Math.max(...table.sizes.map((size, seat) => landsAfter(table, seat, size - 1)));
    } else if (!live) this.#stop();
    if (dealt || table.deal < this.#deal) this.#deal = table.deal;
  }

  /** The delay of a card in a hand as CSS time; null if all cards are in place. */
  delay(table: Table, seat: number, index: number): string | null {
    const now = performance.now();
    return now < this.#until ? `${Math.round(landsAfter(table, seat, index) - FLIGHT_MS - (now - this.#began))}ms` : null;
  }

  /** Start the packets once the seats are drawn. `placeOf`: the element of a seat's cards. */
  fly(table: Table, placeOf: (seat: number) => Element): void {
    if (!this.#due) return;
    this.#due = false;
    const from = placeOf(table.dealer ?? 0);
    table.sizes.forEach((size, seat) => {
      for (let index = 0; index < size; index += PACKET_CARDS) this.#packet(from, placeOf(seat), landsAfter(table, seat, index) - FLIGHT_MS);
    });
  }

  #packet(from: Element, to: Element, delay: number): void {
    const packet = h("div", { class: "packet", "aria-hidden": "true" }, ...Array.from({ length: PACKET_CARDS }, () => cardFace(this.page, null, { mute: true })));
    this.places.append(packet);
    this.#packets.push(packet);
    const [start, end] = [wayBetween(from, packet), wayBetween(to, packet)];
    const at = ({ x, y }: Way, turned: number, opacity: number): Keyframe => ({ translate: `${x}px ${y}px`, rotate: `${turned}deg`, opacity });
    const flight = packet.animate([at(start, 0, 1), at(end, 160, 1)], { delay, duration: FLIGHT_MS, easing: "cubic-bezier(0.2, 0.6, 0.3, 1)", fill: "forwards" });
    flight.onfinish = () => {
      packet.remove();
      this.#packets = this.#packets.filter((one) => one !== packet);
    };
  }

  #stop(): void {
    this.#due = false;
    this.#until = 0;
    for (const packet of this.#packets.splice(0)) packet.remove();
  }
}

/** The flights of the cards of a trick. */
export class TrickFlights {
  readonly #leaving = new Set<Element>();

  /** `trick`: the element that contains the cards. */
  constructor(private readonly trick: HTMLElement) {}

  /** Move a card to its place in the trick from its place in the hand, or, half as large, from the cards of its seat. */
  arrive(element: HTMLElement, held: Element | null, seat: Element): void {
    const { x, y, scale } = wayBetween(held ?? seat, element);
    element.style.setProperty("--from-x", `${x}px`);
    element.style.setProperty("--from-y", `${y}px`);
    element.style.setProperty("--from-scale", String(held ? scale : 0.5));
    element.classList.add("arriving");
  }

  /** Move cards to the taker's heap (null: to nowhere) and remove them. `landed` is called once no card is moving; later events do not wait for that. */
  take(cards: readonly HTMLElement[], heap: Element | null, landed: () => void): void {
    for (const card of cards) {
      this.#leaving.add(card);
      if (heap !== null) this.#send(card, heap);
      card.classList.add("swept");
    }
    const land = (): void => {
      for (const card of cards) {
        card.remove();
        this.#leaving.delete(card);
      }
      if (this.#leaving.size === 0) landed();
    };
    if (cards.length > 0 && !calm()) window.setTimeout(land, TRICK_SWEEP_MS);
    else land();
  }

  /** Remove the cards that are moving to a heap. */
  clear(): void {
    for (const card of this.#leaving) card.remove();
    this.#leaving.clear();
  }

  #send(card: HTMLElement, heap: Element): void {
    const { x, y, scale } = wayBetween(heap, this.trick);
    card.style.setProperty("--to-x", `${x}px`);
    card.style.setProperty("--to-y", `${y}px`);
    card.style.setProperty("--to-scale", String((scale * this.trick.clientWidth) / Math.max(1, card.clientWidth)));
  }
}
