/** A result as typed, with the fields of its game: the last side is computed, a sweep is one tap. Pure. */

import type { EnterResult, SheetField } from "../generated/types";

/** A field of a score sheet: see engine/rules/sheet_fields.py. Omitted values have their default; the label is for other programs. */
export type Field = Omit<SheetField, "label">;

export interface Entry {
  /** Typed numbers by field: one for each side or seat, or a single one. */
  figures: Readonly<Record<string, readonly string[]>>;
  /** Picks by field: a seat, a side, a contract, a slot, ±20. */
  picks: Readonly<Record<string, string | number | null>>;
  /** Several sides, by field. */
  sets: Readonly<Record<string, readonly number[]>>;
  /** The side with computed card points; `other`: all are filled in from an earlier entry, and of two sides the untyped one is computed. */
  auto: number | "other" | null;
}

const number = (text: string | undefined): number | null => (/^[-−]?\d{1,5}$/.test((text ?? "").trim()) ? Number((text ?? "").trim().replace("−", "-")) : null);
const put = (list: readonly string[], index: number, text: string): string[] => list.map((old, at) => (at === index ? text : old));
const counts = (field: Field, sides: number, seats: number): number => (field.per === "side" ? sides : field.per === "seat" ? seats : 1);
export const fieldOf = (fields: readonly Field[], name: string): Field | undefined => fields.find((field) => field.name === name);

/** The field with a known sum: card points, or the totals of a round. */
export const adding = (fields: readonly Field[]): Field | undefined => fields.find(({ name }) => name === "card_points") ?? fields.find(({ sum_most: most }) => typeof most === "number");

type Figures = Entry["figures"];

/** The points for sweeps and Stöck, if they are counted. */
function worthOf(figures: Figures, fields: readonly Field[]): number {
  return fields.reduce((total, { name, worth }) => total + (worth ?? 0) * (figures[name] ?? []).reduce((all, text) => all + (number(text) ?? 0), 0), 0);
}

/** The required sum of the numbers. */
export function sumOf(entry: Entry, fields: readonly Field[]): { least: number; most: number } {
  const points = adding(fields);
  const worth = worthOf(entry.figures, fields);
  return { least: (points?.sum_least ?? 0) + worth, most: (points?.sum_most ?? Infinity) + worth };
}

/** Additional bonuses, by field and side. */
export type Explained = Readonly<Record<string, readonly number[]>>;

/**
 * Explanations of a sum that is too large: uncounted sweeps, Stöck or melds, the fewest first. The same as
 * `engine/sheets/bonuses.py`, except that melds belong to one side.
 */
export function explained(entry: Entry, fields: readonly Field[]): Explained[] {
  const total = sum(entry, adding(fields)?.name);
  const { least, most } = sumOf(entry, fields);
  const beside = fields.filter(({ worth }) => worth);
  if (total === null || least !== most || total <= most) return [];
  const found: { things: number; more: Explained }[] = [];
  const take = (at: number, rest: number, things: number, more: Explained): void => {
    const field = beside[at];
    if (field === undefined) {
      if (rest === 0) found.push({ things, more });
      return;
    }
    const { name, worth = 0, step = 1 } = field;
    const sides = (entry.figures[name] ?? []).length;
    if (step > 1) {
      take(at + 1, rest, things, more);
      if (rest % step !== 0 || rest === 10 || rest === 30 || rest === 0) return;
      for (let side = 0; side < sides; side += 1) take(at + 1, 0, things + 1, { ...more, [name]: Array.from({ length: sides }, (_, one) => (one === side ? rest : 0)) });
      return;
    }
    const left = (field.most ?? Infinity) - (entry.figures[name] ?? []).reduce((all, text) => all + (number(text) ?? 0), 0);
    for (let count = 0; count <= Math.min(left, rest / worth); count += 1) {
      const ways = count === 0 || sides !== 2 ? [Array<number>(sides).fill(0)] : Array.from({ length: count + 1 }, (_, other) => [count - other, other]);
      for (const way of sides === 2 || count === 0 ? ways : []) take(at + 1, rest - count * worth, things + count, count === 0 ? more : { ...more, [name]: way });
    }
  };
  take(0, total - most, 0, {});
  return found.sort((one, other) => one.things - other.things).map(({ more }) => more);
}

/** The entry with an explanation's bonuses counted. */
export function counting(entry: Entry, more: Explained): Entry {
  const added = Object.entries(more).map(([name, counts]) => [name, counts.map((count, side) => String(count + (number(entry.figures[name]?.[side]) ?? 0)))]);
  return { ...entry, figures: { ...entry.figures, ...(Object.fromEntries(added) as Record<string, string[]>) } };
}

export function blank(fields: readonly Field[], sides: number, seats: number): Entry {
  const figures: Record<string, string[]> = {};
  const picks: Record<string, null> = {};
  const sets: Record<string, number[]> = {};
  for (const field of fields) {
    if (field.kind === "points") figures[field.name] = Array<string>(counts(field, sides, seats)).fill("");
    else if (field.kind === "sides") sets[field.name] = [];
    else picks[field.name] = null;
  }
  return { figures, picks, sets, auto: null };
}

/** Type a number. Points with a known sum are computed; otherwise a sweep stays while its side's points are typed. */
export function typed(entry: Entry, field: Field, at: number, text: string, fields: readonly Field[] = [field]): Entry {
  const figures = { ...entry.figures, [field.name]: put(entry.figures[field.name] ?? [], at, text) };
  const summed = adding(fields);
  if (summed === undefined || (field.name !== summed.name && !field.worth)) return { ...entry, figures };
  const own = field.name === summed.name;
  const { points, auto } = followed(entry, summed, own ? at : null, figures[summed.name] ?? [], worthOf(figures, fields), !fields.some(({ worth }) => worth));
  const swept = own && field.sum_least !== field.sum_most && entry.picks["sweep"] === at;
  const undone = ["sweep", "conceded"].filter((name) => own && name in entry.picks && !(swept && name === "sweep"));
  const picks = { ...entry.picks, ...Object.fromEntries(undone.map((name) => [name, null])) };
  return { ...entry, figures: { ...figures, [summed.name]: points }, auto, picks, sets: own && "took_trick" in entry.sets ? { ...entry.sets, took_trick: [] } : entry.sets };
}

/**
 * Compute the last side while it is empty or was computed before; once all sides are typed, nothing is computed, so
 * that a wrong sheet shows as wrong. `alone`: only cards count; else nothing follows from one side. `side` null: a
 * bonus was typed instead of a side.
 */
function followed(entry: Entry, field: Field, side: number | null, typing: readonly string[], worth: number, alone: boolean): { points: readonly string[]; auto: Entry["auto"] } {
  const before = entry.auto === "other" ? (side !== null && typing.length === 2 ? 1 - side : null) : entry.auto;
  const auto = before === side ? null : before;
  const empty = typing.flatMap((other, at) => (at !== side && other.trim() === "" ? [at] : []));
  const follower = auto ?? (side !== null && empty.length === 1 ? empty[0] : undefined);
  if (follower === undefined || !alone || field.sum_least !== field.sum_most || typeof field.sum_most !== "number") return { points: typing, auto };
  const others = typing.map((other, at) => (at === follower ? 0 : number(other)));
  const rest = others.reduce<number | null>((left, other) => (left === null || other === null ? null : left - other), field.sum_most + worth);
  const known = rest !== null && rest >= 0;
  return { points: put(typing, follower, known ? String(rest) : ""), auto: known ? follower : null };
}

/** Pick one of a few, or clear it unless it is required. A sweep gives its side all points: with an unknown sum, the points it has. */
export function picked(entry: Entry, fields: readonly Field[], name: string, value: string | number): Entry {
  const off = entry.picks[name] === value && !fields.some((field) => field.name === name && field.required);
  const picks = { ...entry.picks, [name]: off ? null : value };
  const points = adding(fields);
  if (name === "conceded" && points !== undefined) return conceded(entry, picks, points, !off);
  if (name !== "sweep" || points === undefined) return { ...entry, picks };
  const known = points.sum_least === points.sum_most;
  const swept = (entry.figures[points.name] ?? []).map((text, at) => (off ? "" : at !== value ? "0" : known ? String(points.sum_most ?? "") : text));
  const sets = "took_trick" in entry.sets ? { ...entry.sets, took_trick: [] } : entry.sets;
  return { ...entry, picks, sets, auto: null, figures: { ...entry.figures, [points.name]: swept } };
}

/** A deal conceded by side 0: all points are the others', and nothing else is recorded. */
function conceded(entry: Entry, picks: Entry["picks"], points: Field, given: boolean): Entry {
  const figures = { ...entry.figures, [points.name]: (entry.figures[points.name] ?? []).map((_, side) => (!given ? "" : side === 0 ? "0" : String(points.sum_most ?? ""))) };
  if (given && figures["melds"] !== undefined) figures["melds"] = figures["melds"].map(() => "");
  const others = given ? { ...("sweep" in picks ? { sweep: null } : {}), ...(picks["stoeck"] === 0 ? { stoeck: null } : {}) } : {};
  return { ...entry, auto: null, figures, picks: { ...picks, ...others }, sets: given && "took_trick" in entry.sets ? { ...entry.sets, took_trick: [] } : entry.sets };
}

/** Toggle one of several sides. A side that took a trick removes any sweep. */
export function toggled(entry: Entry, name: string, side: number): Entry {
  const before = entry.sets[name] ?? [];
  const now = before.includes(side) ? before.filter((one) => one !== side) : [...before, side].sort((a, b) => a - b);
  const picks = name === "took_trick" && now.length > 0 && "sweep" in entry.picks ? { ...entry.picks, sweep: null } : entry.picks;
  return { ...entry, picks, sets: { ...entry.sets, [name]: now } };
}

/** Whether a field applies to the deal as typed: a conceded deal has no tricks, and a side with points has taken a trick. */
export function matters(entry: Entry, fields: readonly Field[], name: string): boolean {
  if (["sweep", "took_trick", "melds"].includes(name) && (entry.picks["conceded"] ?? null) !== null) return false;
  return name !== "took_trick" || hasNought(entry, fields);
}

/** Whether a side is entered without points. */
export const isWithout = (entry: Entry, side: number): boolean => number(entry.figures["card_points"]?.[side]) === 0;

/** null: incomplete. */
export function sum(entry: Entry, name = "card_points"): number | null {
  const values = (entry.figures[name] ?? []).map(number);
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0 as number | null);
}

export function sumIsRight(entry: Entry, fields: readonly Field[]): boolean {
  const total = sum(entry, adding(fields)?.name);
  const { least, most } = sumOf(entry, fields);
  return total !== null && total >= least && total <= most;
}

/** Whether one side has all points, and it is open whether it took all tricks too. */
export function asksForSweep(entry: Entry, fields: readonly Field[]): boolean {
  if (!("sweep" in entry.picks) || !("took_trick" in entry.sets) || entry.picks["sweep"] !== null) return false;
  if ((entry.picks["conceded"] ?? null) !== null) return false;
  const points = (entry.figures["card_points"] ?? []).map(number);
  const empty = points.flatMap((value, side) => (value === 0 ? [side] : []));
  return sumIsRight(entry, fields) && empty.length === points.length - 1 && !empty.some((side) => (entry.sets["took_trick"] ?? []).includes(side));
}

/** Whether some side has no card points: the others', if the declarer has all of them. */
export function hasNought(entry: Entry, fields: readonly Field[]): boolean {
  const own = fieldOf(fields, "own_points");
  if (own !== undefined) return typeof own.most === "number" && number(entry.figures["own_points"]?.[0]) === own.most;
  return (entry.figures["card_points"] ?? []).some((_, side) => isWithout(entry, side));
}

/** Whether every number is valid and nothing required is missing. */
export function complete(entry: Entry, fields: readonly Field[]): boolean {
  return sumIsRight(entry, fields) && fields.every((field) => filled(entry, field)) && isSigned(entry, fields) && !asksForSweep(entry, fields);
}

/** Required and missing fields, if the points are complete: incomplete points have their own message. */
export function missing(entry: Entry, fields: readonly Field[]): Field[] {
  const points = adding(fields);
  const own = fieldOf(fields, "own_points");
  if (!sumIsRight(entry, fields) || (own !== undefined && !filled(entry, own))) return [];
  const halfSigned = (name: string): boolean => ["stoeck", "stoeck_points"].includes(name) && !isSigned(entry, fields) && entry.picks[name] === null;
  return fields.filter((field) => field !== points && (!filled(entry, field) || halfSigned(field.name)));
}

/** The sides without a number, if only some have one. */
export function unwritten(entry: Entry, { name, per }: Field): number[] {
  const texts = entry.figures[name] ?? [];
  const empty = texts.flatMap((text, side) => (text.trim() === "" ? [side] : []));
  return per === "side" && empty.length < texts.length ? empty : [];
}

/** The key of the sentence on a field's valid numbers. */
export function boundsSaid({ least, most, step, sum_most: whole }: Field): string {
  const open = (most ?? whole ?? null) === null;
  if (step === 10 && least) return "sheet.at_least_in_tens";
  if ((step ?? 1) > 1) return least ? (open ? "sheet.at_least_in_steps" : "sheet.from_to_in_steps") : "sheet.in_steps";
  return open ? "sheet.at_least" : "sheet.from_to";
}

/** Whether nothing has been typed or picked. */
export const untouched = (entry: Entry): boolean =>
  Object.values(entry.figures).every((figures) => figures.every((text) => text.trim() === "")) && Object.values(entry.picks).every((pick) => pick === null) && Object.values(entry.sets).every((set) => set.length === 0);

/** The fields with an invalid number, or with too large a sum. */
export function impossible(entry: Entry, fields: readonly Field[]): Field[] {
  const points = adding(fields);
  const most = sumOf(entry, fields).most;
  return fields.filter((field) => {
    const typing = (entry.figures[field.name] ?? []).filter((text) => text.trim() !== "");
    return typing.some((text) => !fits(field, text) || (field === points && (number(text) ?? 0) > most));
  });
}

function filled(entry: Entry, field: Field): boolean {
  if (field.kind === "sides") return true;
  if (field.kind !== "points") return !field.required || (entry.picks[field.name] ?? null) !== null;
  const values = entry.figures[field.name] ?? [];
  const empty = values.every((text) => text.trim() === "");
  if (empty) return !field.required;
  return values.every((text) => fits(field, text.trim() === "" && !field.required ? "0" : text));
}

/** Whether a number is valid in this field. */
export function fits(field: Field, text: string): boolean {
  const value = number(text);
  return value !== null && value >= (field.least ?? -Infinity) && value <= (field.most ?? Infinity) && value % (field.step ?? 1) === 0;
}

/** A signed Stöck needs both its side and its sign. */
const isSigned = (entry: Entry, fields: readonly Field[]): boolean =>
  !fields.some((field) => field.kind === "signed") || (entry.picks["stoeck"] === null) === (entry.picks["stoeck_points"] === null);

type Result = Omit<EnterResult, "cmd" | "seat" | "deal">;

/** The result as recorded in the log. */
export function resultOf(entry: Entry, fields: readonly Field[]): Result {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const { name } = field;
    if (field.kind === "sides") {
      if ((entry.sets[name] ?? []).length > 0) result[name] = entry.sets[name];
    } else if (field.kind !== "points") {
      if ((entry.picks[name] ?? null) !== null) result[name] = field.kind === "flag" ? true : entry.picks[name];
    } else {
      const values = entry.figures[name] ?? [];
      const given = values.some((text) => text.trim() !== "");
      if (given) result[name] = field.per === "deal" ? number(values[0]) : values.map((text) => number(text) ?? 0);
    }
  }
  return result as unknown as Result; // its fields are the ones that the server has named
}

/** The declarer's points, in a result that has no others. */
function ownPoints({ card_points: all, chooser, own_points: sent }: Readonly<Record<string, unknown>>): unknown {
  return sent ?? (Array.isArray(all) && typeof chooser === "number" ? (all as unknown[])[chooser] : undefined);
}

/** An entry from a recorded result, for corrections. */
export function entryOf(written: Readonly<Record<string, unknown>>, fields: readonly Field[], sides: number, seats: number): Entry {
  const empty = blank(fields, sides, seats);
  const figures = { ...empty.figures };
  const picks = { ...empty.picks };
  const sets = { ...empty.sets };
  for (const field of fields) {
    const value = field.name === "own_points" ? ownPoints(written) : written[field.name];
    if (value === null || value === undefined) continue;
    if (field.kind === "sides") sets[field.name] = value as number[];
    else if (field.kind === "flag") picks[field.name] = value === true ? 1 : null;
    else if (field.kind !== "points") picks[field.name] = value as string | number;
    else figures[field.name] = Array.isArray(value) ? value.map((one) => (field.sum_most !== undefined || one !== 0 ? String(one) : field.required ? "0" : "")) : [String(value)];
  }
  return { figures, picks, sets, auto: "other" };
}
