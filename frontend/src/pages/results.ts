/** The desk's grid of results. One line per table; Enter saves the line. Unsaved input stays. */

import { commandId } from "../connection/socket";
import { find } from "../dom";
import { say } from "../page";
import { counted, differs, expectedOf, type Figures, onlyCards, unlikely, type Whole } from "../sheets/round-sum";

interface Told extends Whole {
  save: string;
}

interface Row {
  table: number;
  people: string;
  head: number;
  status: string;
  scores: number[];
  sweeps: number[];
  stoecks: number[];
  confirmed: boolean;
}

type Kind = "sweeps" | "stoecks" | "melds";
/** Bonuses by side that explain the totals. */
type Bonuses = Partial<Record<Kind, number[]>>;

interface Answer {
  row?: Row | null;
  code?: string;
  /** The regulations' ways to share a difference. */
  shares?: { scores: number[]; scorer: number | null }[];
  message?: string;
  params?: { likely?: [number, number, number][]; explained?: Bonuses[] };
}

/** Milliseconds between retries; a returning network retries at once. */
const RETRY_INTERVAL_MS = 10_000;
/** The number of explanations with a button; another button shows the rest. */
const OFFERED = 6;

const told = JSON.parse(find("#results").textContent ?? "{}") as Told;
const csrf = find<HTMLMetaElement>("meta[name=csrf-token]").content;
const rows = [...document.querySelectorAll<HTMLTableRowElement>("[data-row]")];
/** Sent lines without an answer, which are resent under the same id. */
const ids = new Map<HTMLElement, { body: string; id: string }>();

const inputs = (row: HTMLElement, name: string): HTMLInputElement[] => [...row.querySelectorAll<HTMLInputElement>(`[data-${name}]`)];
const figure = ({ value }: HTMLInputElement): number | null => (/^-?\d{1,5}$/.test(value.trim()) ? Number(value.trim()) : null);
const isOpen = (row: HTMLElement): boolean => row.dataset["done"] === undefined;
const isWrong = (row: HTMLElement): boolean => row.dataset["wrong"] !== undefined;
const isTyped = (row: HTMLElement): boolean => [...row.querySelectorAll("input")].some(({ value }) => value !== "");
/** Lines that wait for the network. */
const kept = new Set<HTMLElement>();

function figuresOf(row: HTMLElement): Figures {
  const all = (name: string): (number | null)[] => inputs(row, name).map(figure);
  return { points: all("points"), sweeps: all("sweeps"), stoecks: all("stoecks"), melds: all("melds") };
}

function tell(row: HTMLElement, text: string, wrong = false): void {
  row.querySelector("[data-state]")!.textContent = text;
  row.toggleAttribute("data-wrong", wrong);
}

/** Fill the empty or computed side with the remaining points, if only cards count. */
function follow(row: HTMLElement, typed: HTMLInputElement | null): void {
  const points = inputs(row, "points");
  if (points.length !== 2 || !onlyCards(told)) return;
  if (typed !== null) delete typed.dataset["auto"];
  const follower = points.find((input) => input !== typed && (input.dataset["auto"] !== undefined || (typed !== null && input.value === "")));
  const other = points.find((input) => input !== follower);
  if (follower === undefined || other === undefined) return;
  const mine = figure(other);
  const rest = mine === null ? null : expectedOf(figuresOf(row), told) - mine;
  follower.value = rest === null || rest < 0 ? "" : String(rest);
  follower.dataset["auto"] = "";
}

/** Whether the sum of a line is right; shows an error otherwise. */
function adds(row: HTMLElement): boolean {
  const figures = figuresOf(row);
  if (figures.points.some((value) => value === null)) {
    const most = expectedOf(figures, told);
    const over = told.bounds === null && figures.points.length === 2 && figures.points.some((value) => (value ?? 0) > most);
    tell(row, over ? say("results.too_many", { most }) : say("results.numbers"), true);
    return false;
  }
  if (told.bounds !== null) {
    const [least, most] = told.bounds;
    const wrong = figures.points.some((value) => value! < least || value! > most);
    tell(row, wrong ? say("results.bounds", { least, most }) : "", wrong);
    return !wrong;
  }
  const sum = figures.points.reduce<number>((total, value) => total + (value ?? 0), 0);
  const expected = expectedOf(figures, told);
  // The server names the slip behind a wrong sum; a sum that cannot be sent to it is reported here.
  tell(row, sum === expected ? "" : say(sum > expected ? "results.too_much" : "results.too_little", { sum, expected, off: Math.abs(sum - expected) }), sum !== expected);
  return sum === expected;
}

/** Whether a total is implausible and unconfirmed; shows a question. */
function asks(row: HTMLElement): boolean {
  const { points } = figuresOf(row);
  const side = unlikely(points, told);
  const figures = points.join(" ");
  if (side < 0 || row.dataset["sure"] === figures) return false;
  row.dataset["sure"] = figures;
  const each = Math.round((points[side] ?? 0) / told.deals);
  tell(row, say("results.unlikely", { name: namesOf(row)[side] ?? "", points: points[side] ?? 0, each }), true);
  return true;
}

function next(row: HTMLElement, by: number): void {
  const shown = rows.filter((one) => isOpen(one) || one === row);
  const round = by > 0 ? rows.find((one) => one !== row && isOpen(one)) : undefined;
  const to = shown[shown.indexOf(row as HTMLTableRowElement) + by] ?? round;
  const input = to === undefined ? undefined : inputs(to, "points")[0];
  input?.focus();
  input?.select();
}

/** Show the number of finished lines, and the next step after the last one. It gets no focus: an extra Enter must not close a round. */
function progress(): void {
  const done = rows.filter((row) => !isOpen(row)).length;
  find("[data-progress]").textContent = say("results.progress", { done, all: rows.length });
  const after = document.querySelector<HTMLElement>("[data-all-done]");
  if (after === null || done < rows.length) return;
  after.hidden = false;
  after.scrollIntoView({ block: "nearest" });
}

function show(row: HTMLElement, now: Row): void {
  row.dataset["head"] = String(now.head);
  const over = now.status === "ended" || now.status === "closed";
  row.toggleAttribute("data-done", over);
  kept.delete(row);
  const bare = !onlyCards(told) && ![...now.sweeps, ...now.stoecks, ...inputs(row, "melds").map((input) => figure(input) ?? 0)].some((count) => count > 0);
  const text = now.scores.join(" : ") + (bare ? `, ${say("results.bare")}` : "");
  mayCorrect(row, over);
  if (over) {
    for (const input of row.querySelectorAll("input")) input.disabled = true;
    inputs(row, "points").forEach((input, side) => (input.value = String(now.scores[side] ?? "")));
  }
  tell(row, over ? `${text}, ${say("results.done")}` : `${text}, ${say(document.querySelector("[data-signed]") === null ? "results.again" : "results.waits")}`);
  progress();
}

/** Link a finished line to its correction, for people who may correct. */
function mayCorrect(row: HTMLElement, over: boolean): void {
  const link = row.querySelector<HTMLElement>("[data-correct]");
  if (link !== null) link.hidden = !over;
}

/** Show a conflict: the line keeps the typed values beside the stored ones, and a finished line becomes read-only. */
function conflict(row: HTMLElement, now: Row, message: string): void {
  const { points } = figuresOf(row);
  const over = now.status === "ended" || now.status === "closed";
  if (!differs(points, now.scores)) {
    show(row, now);
    if (!over) tell(row, `${message} ${now.scores.join(" : ")}`, true);
    return;
  }
  row.dataset["head"] = String(now.head);
  row.toggleAttribute("data-done", over);
  mayCorrect(row, over);
  if (over) for (const input of row.querySelectorAll("input")) input.readOnly = true;
  const typed = points.map((value) => value ?? "–").join(" : ");
  tell(row, `${message} ${say("results.stored", { stored: now.scores.join(" : "), typed })}`, true);
  progress();
}

function words(answer: Answer): string {
  const slips = (answer.params?.likely ?? []).map(([, written, instead]) => say("results.likely", { written, instead }));
  return [answer.message ?? "", ...slips].join(" ");
}

const namesOf = (row: HTMLElement): string[] => [...row.querySelectorAll(".results-names")].map((one) => one.textContent ?? "");

function button(row: HTMLElement, text: string, press: () => void): HTMLElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button small";
  made.textContent = text;
  made.addEventListener("click", press);
  row.querySelector("[data-state]")!.append(" ", made);
  return made;
}

/** Add a button for each way to share the difference; the typed values stay until one is pressed. */
function offer(row: HTMLElement, shares: NonNullable<Answer["shares"]>): void {
  const names = namesOf(row);
  for (const { scores, scorer } of shares) {
    const figures = scores.join(" : ");
    const text = scorer === null ? say("results.share", { scores: figures }) : say("results.scorer", { side: names[scorer] ?? "", scores: figures });
    button(row, text, () => void save(row, { share: true, scorer }).then(() => next(row, 1)));
  }
}

/** Add a button for each explanation of the sum by uncounted bonuses; a press counts and saves them. */
function explain(row: HTMLElement, explained: readonly Bonuses[]): void {
  const names = namesOf(row);
  const before = figuresOf(row);
  const worth: Record<Kind, number> = { sweeps: told.sweep, stoecks: told.stoeck, melds: 1 };
  const words = (bonuses: Bonuses): string =>
    (["sweeps", "stoecks", "melds"] as const)
      .flatMap((kind) => (bonuses[kind] ?? []).map((count, side) => ({ kind, side, points: (count - (before[kind][side] ?? 0)) * worth[kind] })))
      .filter(({ points }) => points > 0)
      .map(({ kind, side, points }) => say(`results.of_${kind}`, { points, side: names[side] ?? "" }))
      .join(" · ");
  const take = (bonuses: Bonuses): void => {
    for (const kind of ["sweeps", "stoecks", "melds"] as const) inputs(row, kind).forEach((input, side) => (input.value = String(bonuses[kind]?.[side] ?? input.value)));
    void save(row).then(() => next(row, 1));
  };
  const offered = (some: readonly Bonuses[]): void => some.forEach((bonuses) => button(row, words(bonuses), () => take(bonuses)));
  offered(explained.slice(0, OFFERED));
  if (explained.length <= OFFERED) return;
  const more = button(row, say("results.more"), () => {
    more.remove();
    offered(explained.slice(OFFERED));
  });
}

async function save(row: HTMLElement, more: { share?: boolean; scorer?: number | null } = {}): Promise<void> {
  const figures = figuresOf(row);
  const content = {
    people: row.dataset["people"],
    seen: Number(row.dataset["head"]),
    scores: figures.points,
    sweeps: counted(figures.sweeps),
    stoecks: counted(figures.stoecks),
    melds: counted(figures.melds),
    signed: document.querySelector<HTMLInputElement>("[data-signed]")?.checked ?? false,
    ...more,
  };
  const body = JSON.stringify(content);
  const sent = ids.get(row);
  const id = sent?.body === body ? sent.id : commandId();
  ids.set(row, { body, id });
  if (row.dataset["wrong"] === undefined) tell(row, say("results.saving"));
  let answer: Answer;
  try {
    const response = await fetch(told.save.replace(/0\/$/, `${row.dataset["row"]}/`), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrf },
      body: JSON.stringify({ id, ...content }),
      signal: AbortSignal.timeout(15_000),
    });
    answer = (await response.json()) as Answer;
  } catch {
    tell(row, say("results.kept"), true);
    kept.add(row);
    setTimeout(again, RETRY_INTERVAL_MS);
    return;
  }
  ids.delete(row);
  kept.delete(row);
  if (answer.row && answer.code === undefined) {
    show(row, answer.row);
    return;
  }
  if (answer.code === "results/other_people") {
    unseat(row);
    return;
  }
  if (answer.row && answer.code === "results/changed_since") {
    conflict(row, answer.row, words(answer));
    return;
  }
  tell(row, words(answer), true);
  offer(row, answer.shares ?? []);
  explain(row, answer.params?.explained ?? []);
}

/** Resend lines that waited for the network. */
function again(): void {
  for (const row of [...kept]) {
    kept.delete(row);
    void save(row);
  }
}

window.addEventListener("online", again);

/** Disable a line whose people have changed. */
function unseat(row: HTMLElement): void {
  for (const input of row.querySelectorAll("input")) input.disabled = true;
  row.dataset["unseated"] = "";
  kept.delete(row);
  tell(row, say("results.other_people"), true);
  button(row, say("results.load"), () => location.reload());
}

/** Take the lines stored by others; the line being edited is unchanged. */
function hear(now: readonly Row[]): void {
  for (const one of now) {
    const row = rows.find(({ dataset }) => dataset["row"] === String(one.table));
    if (row !== undefined && row.dataset["people"] !== one.people) {
      if (row.dataset["unseated"] === undefined) unseat(row);
      continue;
    }
    if (row === undefined || !isOpen(row) || Number(row.dataset["head"]) >= one.head || one.scores.length === 0) continue;
    if (!ids.has(row) && !kept.has(row) && !isTyped(row)) show(row, one);
  }
}

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target instanceof Element && target.matches("[data-live]")) hear(JSON.parse(target.textContent ?? "[]") as Row[]);
});

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const row = target.closest<HTMLElement>("[data-row]");
  if (row === null) return;
  follow(row, target.matches("[data-points]") ? target : null);
  if (figuresOf(row).points.every((value) => value !== null)) adds(row);
});

document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (!(target instanceof HTMLInputElement) || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (target.matches("[data-jump]") && event.key === "Enter") {
    event.preventDefault();
    const found = rows.find((row) => row.dataset["row"] === target.value.trim());
    found?.scrollIntoView({ block: "center" });
    if (found !== undefined) inputs(found, "points")[0]?.focus();
    target.value = "";
    return;
  }
  const row = target.closest<HTMLElement>("[data-row]");
  if (row === null) return;
  if (!isOpen(row) && event.key === "Enter") {
    event.preventDefault();
    row.querySelector<HTMLElement>("[data-correct]")?.focus();
    return;
  }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    next(row, event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    event.preventDefault();
    const empty = inputs(row, "points").filter(({ value }) => value.trim() === "");
    // A computed side is empty only where the typed one is impossible: the line says so instead.
    if (empty[0] !== undefined && empty[0].dataset["auto"] === undefined && empty.length < inputs(row, "points").length && target.matches("[data-points]")) {
      empty[0].focus();
      return;
    }
    if (figuresOf(row).points.some((value) => value === null)) {
      adds(row);
      return;
    }
    const right = adds(row);
    if (right && asks(row)) return;
    const saved = save(row);
    if (right) next(row, 1);
    else void saved.then(() => row.contains(document.activeElement) && isWrong(row) && row.querySelector<HTMLElement>("[data-state] button")?.focus());
  }
});

find("[data-only-open]").addEventListener("change", ({ target }) => {
  find(".results-grid").classList.toggle("only-open", (target as HTMLInputElement).checked);
});

/** Focus the line of the URL's fragment, else the first open line, unless the reader has scrolled. */
const wanted = rows.find(({ id }) => `#${id}` === location.hash);
const first = wanted ?? rows.find(isOpen);
wanted?.scrollIntoView({ block: "center" });
if (first !== undefined && (wanted !== undefined || document.activeElement === document.body)) inputs(first, "points")[0]?.focus({ preventScroll: wanted !== undefined });

window.addEventListener("beforeunload", (event) => {
  if (ids.size > 0) event.preventDefault();
});
