/** Keyboard entry of a sheet: the next field, the proposed slot, the choice of a key. Pure. */

import { asksForSweep, type Entry, type Field, fieldOf, fits } from "./score-entry";

/** A stop in the form: one of a field's figures, or its choices if `at` is null. */
export interface Stop {
  field: Field;
  at: number | null;
}

/** A deal on the sheet, or one that is being sent. */
export interface Written {
  chooser?: number | null | undefined;
  slot?: string | null | undefined;
}

/** Whether this stop must be filled before the deal can be entered. */
export function isMissing({ field, at }: Stop, entry: Entry, fields: readonly Field[]): boolean {
  if (at === null) {
    if (field.name === "sweep" && asksForSweep(entry, fields)) return true;
    return field.required === true && (entry.picks[field.name] ?? null) === null;
  }
  const text = (entry.figures[field.name]?.[at] ?? "").trim();
  return text === "" ? field.required === true : !fits(field, text);
}

/** Whether this stop has an invalid figure. */
export const isWrong = (stop: Stop, entry: Entry, fields: readonly Field[]): boolean =>
  stop.at !== null && (entry.figures[stop.field.name]?.[stop.at] ?? "").trim() !== "" && isMissing(stop, entry, fields);

/** The target of Enter: `from` if invalid, else the next missing stop, after the last the first; null: none. */
export function nextStop<S extends Stop>(stops: readonly S[], from: S | null, entry: Entry, fields: readonly Field[]): S | null {
  if (from !== null && isWrong(from, entry, fields)) return from;
  const start = from === null ? 0 : stops.indexOf(from) + 1;
  const around = [...stops.slice(start), ...stops.slice(0, start)];
  return around.find((stop) => isMissing(stop, entry, fields)) ?? null;
}

/** The fields, without the open slots of deals that are being sent. */
export function withoutWritten(fields: readonly Field[], written: readonly Written[], sideOf: (seat: number) => number): readonly Field[] {
  const played = written.filter(({ slot }) => typeof slot === "string");
  if (played.length === 0) return fields;
  const isLeft = (seat: number, slot: string): boolean => !played.some((one) => one.slot === slot && typeof one.chooser === "number" && sideOf(one.chooser) === sideOf(seat));
  return fields.map((field) => (field.open_to === undefined ? field : { ...field, open_to: field.open_to.map((slots, seat) => slots.filter((slot) => isLeft(seat, slot))) }));
}

/**
 * The next declarer and slot on the paper: row by row, with alternating sides. Once a side has left a row before it
 * was full, the proposal continues down the column of the side that was written last. The first seat of a side
 * represents both.
 */
export function proposed(fields: readonly Field[], written: readonly Written[], sideOf: (seat: number) => number): { chooser: number; slot: string } | null {
  const field = fieldOf(fields, "slot");
  const open = field?.open_to;
  if (field === undefined || open === undefined || fieldOf(fields, "chooser") === undefined) return null;
  const slots = (field.choices ?? []).map(String);
  const firsts = open.map((_, seat) => seat).filter((seat) => open.findIndex((_, other) => sideOf(other) === sideOf(seat)) === seat);
  const [before, last] = written.slice(-2);
  const side = typeof last?.chooser === "number" ? sideOf(last.chooser) : null;
  const wasLeft = typeof before?.chooser === "number" && sideOf(before.chooser) === side && firsts.some((seat) => open[seat]?.includes(before.slot ?? ""));
  const own = firsts.find((seat) => sideOf(seat) === side);
  const down = own === undefined || !wasLeft ? undefined : slots.find((slot) => open[own]?.includes(slot));
  if (own !== undefined && down !== undefined) return { chooser: own, slot: down };
  for (const slot of slots) {
    const chooser = firsts.find((seat) => open[seat]?.includes(slot));
    if (chooser !== undefined) return { chooser, slot };
  }
  return null;
}

/** The choice a number of steps away, cyclic; closed choices are skipped. */
export function stepped<T>(open: readonly T[], value: T | null, by: number): T | null {
  if (open.length === 0) return null;
  const at = value === null ? -1 : open.indexOf(value);
  return open[at < 0 ? (by > 0 ? 0 : open.length - 1) : (at + by + open.length) % open.length] ?? null;
}

const plain = (text: string): string => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Selection by consecutively typed letters: the first choice with this prefix. A letter without a match starts a new prefix. */
export class Naming {
  #text = "";

  forget(): void {
    this.#text = "";
  }

  /** The index of the choice with this prefix; null: none. */
  type(letter: string, names: readonly string[]): number | null {
    for (const text of [this.#text + plain(letter), plain(letter)]) {
      const found = names.findIndex((name) => plain(name).startsWith(text));
      if (found < 0) continue;
      this.#text = text;
      return found;
    }
    return null;
  }
}
