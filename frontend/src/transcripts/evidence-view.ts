/** The proofs of a record for the running deal: proven cards, open questions and contradictions. */

import type { Code } from "../table/cards";
import { h } from "../dom";
import { cardName, type Page, say, sideName, slotName } from "../page";
import { factorOf, rulesOf } from "../table/rules";
import type { Table } from "../table/table";

type Status = "proven" | "contradictory" | "unknown";

/** The format of engine/evidence/__init__.py. */
export interface Evidence {
  deal: number;
  cards: { card: Code; status: Status; place: string | null; seat: number | null; trick: number | null }[];
  hands: { seat: number; status: Status; size: number; unknown: number }[];
  tricks: { trick: number; status: Status; takers: number[]; points: Between }[];
  slots: string[];
  melds: { seat: number; status: Status; points: number; cards: Code[]; counts: boolean }[];
  stoeck: { seat: number; status: Status; counts: boolean }[];
  points: { side: number; status: Status; points: Between }[];
  contradictions: { code: string; card: Code | null; seats: number[]; trick: number | null; seqs: number[] }[];
}

interface Between {
  least: number;
  most: number;
}

/** Requests the evidence again after each change, and drops late answers. */
export class EvidenceLine {
  #asked = "";

  constructor(
    private readonly page: Page,
    private readonly onChange: (evidence: Evidence | null) => void,
  ) {}

  ask(table: Table): void {
    const key = `${table.deal}/${table.seq}`;
    if (key === this.#asked) return;
    this.#asked = key;
    if (table.deal === 0) {
      this.onChange(null);
      return;
    }
    void fetch(`${this.page.evidence}?deal=${table.deal}`, { headers: { Accept: "application/json" } })
      .then((response) => (response.ok ? (response.json() as Promise<Evidence>) : null))
      .then((evidence) => {
        if (this.#asked === key) this.onChange(evidence);
      })
      .catch(() => undefined);
  }
}

/** The proven holder of each card; a card that was not dealt has none. */
export function ownersOf(evidence: Evidence | null): Map<Code, number> {
  const proven = (evidence?.cards ?? []).filter((fact) => fact.status === "proven" && fact.place === "hand" && fact.seat !== null);
  return new Map(proven.map((fact) => [fact.card, fact.seat as number]));
}

const between = ({ least, most }: Between): string => (least === most ? String(least) : say("evidence.between", { least, most }));

export function renderEvidence(root: HTMLElement, page: Page, table: Table, evidence: Evidence | null): void {
  if (evidence === null) {
    root.replaceChildren(h("p", { class: "muted" }, say("evidence.nothing")));
    return;
  }
  const names = (seats: readonly number[]): string => seats.map((seat) => page.names[seat]).join(", ");
  const contradictions = evidence.contradictions.map(({ code, card, seats, trick }) => {
    const about = card === null ? (trick === null ? "" : say("evidence.trick", { trick })) : cardName(card);
    return fact("contradictory", [about, names(seats)].filter(Boolean).join(", "), say(`evidence.${code}`));
  });
  const hands = evidence.hands.map(({ seat, status, size, unknown }) => fact(status, page.names[seat] ?? "", say("evidence.hand", { known: size - unknown, size })));
  const open = evidence.tricks.filter((trick) => trick.status !== "proven");
  const tricks = open.map((trick) => fact(trick.status, say("evidence.trick", { trick: trick.trick }), say("evidence.taken", { names: names(trick.takers), points: between(trick.points) })));
  const points = evidence.points.map(({ side, status, points: range }) => fact(status, sideName(page, table, side), say("evidence.points", { points: between(range) })));
  const late = (counts: boolean): string => (counts ? "" : ` (${say("evidence.late")})`);
  const melds = evidence.melds.map(({ seat, status, points: worth, cards, counts }) => {
    const known = cards.map((card) => cardName(card)).join(", ");
    return fact(status, page.names[seat] ?? "", say("evidence.meld", { points: worth }) + late(counts) + (known ? `: ${known}` : ""));
  });
  const stoeck = evidence.stoeck.map(({ seat, status, counts }) => fact(status, page.names[seat] ?? "", say("evidence.stoeck") + late(counts)));
  const slots = table.chooser !== null && evidence.slots.length > 1 ? [fact("unknown", say("evidence.slots"), evidence.slots.map((slot) => `${slotName(slot)} ×${factorOf(rulesOf(page), null, slot)}`).join(", "))] : [];
  root.replaceChildren(h("ul", { class: "evidence" }, ...contradictions, ...slots, ...hands, ...melds, ...stoeck, ...tricks, ...points));
}

const LOOKS: Record<Status, string> = { proven: "pill done", contradictory: "pill danger", unknown: "pill" };

function fact(status: Status, about: string, text: string): HTMLElement {
  return h("li", { "data-status": status }, h("span", { class: LOOKS[status] }, say(`evidence.${status}`)), h("span", {}, about ? h("b", {}, `${about}: `) : null, text));
}

/** Show contradictions between the proofs and the record; `read`: the writer has read them. */
export function renderFound(root: HTMLElement, texts: readonly string[], read: () => void): void {
  root.hidden = texts.length === 0;
  const shown = [...root.querySelectorAll("p")].map((one) => one.textContent).join("");
  if (shown === texts.join("") && texts.length > 0) return;
  root.replaceChildren(...texts.map((text) => h("p", {}, text)), ...(texts.length === 0 ? [] : [h("button", { type: "button", class: "button small", click: read }, say("sheet.read"))]));
}
