/** The desk's keys on a sheet: Enter advances and enters the deal; arrows, letters and digits pick. */

import type { Entry } from "./score-entry";
import type { SheetFields } from "./sheet-fields";
import { Naming, stepped } from "./sheet-keys";

export interface Hand {
  view: () => SheetFields | null;
  entry: () => Entry;
  sideOf: (seat: number) => number;
  pick: (name: string, value: string | number) => void;
  /** Enter the deal if it is complete. Returns whether it was. */
  enter: () => boolean;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

export function keysOf(form: HTMLElement, hand: Hand): void {
  const naming = new Naming();

  /** Pick one of a field's open choices, and show it. */
  function pick(view: SheetFields, name: string, value: string | number | null): void {
    if (value === null) return;
    hand.pick(name, value);
    if (name === "chooser") keepSlot(view);
  }

  /** Keep the slot if the side has not played it yet; otherwise select the first open slot. */
  function keepSlot(view: SheetFields): void {
    const open = view.open("slot", hand.entry()).map(({ value }) => value);
    const slot = hand.entry().picks["slot"] ?? null;
    if (open.length > 0 && (slot === null || !open.includes(slot))) hand.pick("slot", open[0] ?? "");
  }

  /** From the points: select the other side, by its first seat. */
  function otherSide(view: SheetFields, by: number): void {
    const seats = view.open("chooser", hand.entry()).map(({ value }) => Number(value));
    const firsts = seats.filter((seat, at) => seats.findIndex((other) => hand.sideOf(other) === hand.sideOf(seat)) === at);
    const now = hand.entry().picks["chooser"];
    const own = typeof now === "number" ? (firsts.find((seat) => hand.sideOf(seat) === hand.sideOf(now)) ?? null) : null;
    pick(view, "chooser", stepped(firsts, own, by));
    view.focusNext(hand.entry());
  }

  /** Pick by a key in a field. Returns whether the key picks. */
  function picks(view: SheetFields, name: string, key: string, byDigit: boolean): boolean {
    const open = view.open(name, hand.entry());
    const step = STEPS[key];
    if (step !== undefined) {
      naming.forget();
      const values = open.map(({ value }) => value);
      pick(view, name, stepped(values, hand.entry().picks[name] ?? null, step));
      return true;
    }
    if (/^\p{L}$/u.test(key)) {
      const found = naming.type(key, open.map(({ words }) => words));
      if (found !== null) pick(view, name, open[found]?.value ?? null);
      return true;
    }
    naming.forget();
    if (!byDigit || !/^\d$/.test(key)) return false;
    const wanted = view.numbered(name, key === "0" ? 10 : Number(key));
    pick(view, name, open.find(({ value }) => value === wanted)?.value ?? null);
    return true;
  }

  form.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const view = hand.view();
    if (view === null || !(target instanceof HTMLElement) || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const group = target.closest<HTMLElement>("[data-picks]")?.dataset["picks"];
    if (key === "Enter" && (target instanceof HTMLInputElement || group !== undefined)) {
      event.preventDefault();
      naming.forget();
      if (!hand.enter()) view.focusNext(hand.entry(), target);
      return;
    }
    if (group !== undefined) {
      if (!view.picksOne(group) || !picks(view, group, key, true)) return;
      event.preventDefault();
      document.getElementById(`${group}-${hand.entry().picks[group]}`)?.focus();
      return;
    }
    if (!target.matches(".sheet-points") || !view.has("slot") || !view.has("chooser")) return;
    const sideways = key === "ArrowLeft" || key === "ArrowRight";
    if (sideways && (target as HTMLInputElement).value === "") otherSide(view, STEPS[key] ?? 1);
    else if (sideways || !picks(view, "slot", key, false)) return;
    event.preventDefault();
  });
}
