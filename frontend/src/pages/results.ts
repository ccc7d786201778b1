/** The desk's grid: a line a table, one number and Enter, saved line by line. What is typed stays until it is saved. */

import { commandId } from "../line/socket";
import { find } from "../dom";
import { say } from "../page";
import { counted, expectedOf, type Figures, type Whole } from "../line/whole-round";

interface Told extends Whole {
  save: string;
}

interface Row {
  head: number;
  status: string;
  scores: number[];
  confirmed: boolean;
}

interface Answer {
  row?: Row | null;
  code?: string;
  /** What the regulations make of totals that do not add up. */
  shares?: { scores: number[]; scorer: number | null }[];
  message?: string;
  params?: { likely?: [number, number, number][]; uncounted?: string | null };
}

const told = JSON.parse(find("#results").textContent ?? "{}") as Told;
const csrf = find<HTMLMetaElement>("meta[name=csrf-token]").content;
const rows = [...document.querySelectorAll<HTMLTableRowElement>("[data-row]")];
/** What was sent for a line and not answered: sent again it is stored once. */
const ids = new Map<HTMLElement, { body: string; id: string }>();

const inputs = (row: HTMLElement, name: string): HTMLInputElement[] => [...row.querySelectorAll<HTMLInputElement>(`[data-${name}]`)];
const figure = ({ value }: HTMLInputElement): number | null => (/^\d{1,5}$/.test(value.trim()) ? Number(value.trim()) : null);
const isOpen = (row: HTMLElement): boolean => row.dataset["done"] === undefined;

function figuresOf(row: HTMLElement): Figures {
  const all = (name: string): (number | null)[] => inputs(row, name).map(figure);
  return { points: all("points"), sweeps: all("sweeps"), stoecks: all("stoecks"), melds: all("melds") };
}

function tell(row: HTMLElement, text: string, wrong = false): void {
  row.querySelector("[data-state]")!.textContent = text;
  row.toggleAttribute("data-wrong", wrong);
}

/** The side that is empty, or filled itself in before, gets what is left. */
function follow(row: HTMLElement, typed: HTMLInputElement | null): void {
  const points = inputs(row, "points");
  if (points.length !== 2) return;
  if (typed !== null) delete typed.dataset["auto"];
  const follower = points.find((input) => input !== typed && (input.dataset["auto"] !== undefined || (typed !== null && input.value === "")));
  const other = points.find((input) => input !== follower);
  if (follower === undefined || other === undefined) return;
  const mine = figure(other);
  const rest = mine === null ? null : expectedOf(figuresOf(row), told) - mine;
  follower.value = rest === null || rest < 0 ? "" : String(rest);
  follower.dataset["auto"] = "";
}

/** Whether the sum of a line is right; says so where it is not. */
function adds(row: HTMLElement): boolean {
  const figures = figuresOf(row);
  if (figures.points.some((value) => value === null)) {
    const most = expectedOf(figures, told);
    const over = figures.points.length === 2 && figures.points.some((value) => (value ?? 0) > most);
    tell(row, over ? say("results.too_many", { most }) : say("results.numbers"), true);
    return false;
  }
  const sum = figures.points.reduce<number>((total, value) => total + (value ?? 0), 0);
  const expected = expectedOf(figures, told);
  // The server says which slip would explain it; what it cannot be asked about is said here.
  tell(row, sum === expected ? "" : say("results.sum", { sum, expected, difference: sum - expected }), sum !== expected);
  return sum === expected;
}

function next(row: HTMLElement, by: number): void {
  const shown = rows.filter((one) => isOpen(one) || one === row);
  const to = shown[shown.indexOf(row as HTMLTableRowElement) + by];
  const input = to === undefined ? undefined : inputs(to, "points")[0];
  input?.focus();
  input?.select();
}

/** How many are done; with the last one what comes next is there. It is not focused: an Enter too many closes no round. */
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
  const text = now.scores.join(" : ");
  if (over) {
    for (const input of row.querySelectorAll("input")) input.disabled = true;
    inputs(row, "points").forEach((input, side) => (input.value = String(now.scores[side] ?? "")));
  }
  tell(row, over ? `${text}, ${say("results.done")}` : `${text}, ${say(document.querySelector("[data-signed]") === null ? "results.again" : "results.waits")}`);
  progress();
}

function words(answer: Answer): string {
  const slips = (answer.params?.likely ?? []).map(([, written, instead]) => say("results.likely", { written, instead }));
  const missed = answer.params?.uncounted ? [say(`results.${answer.params.uncounted}`)] : [];
  return [answer.message ?? "", ...slips, ...missed].join(" ");
}

/** A button for each way in which the regulations let the difference be shared; what was typed stands until it is pressed. */
function offer(row: HTMLElement, shares: NonNullable<Answer["shares"]>): void {
  const names = [...row.querySelectorAll(".results-names")].map((one) => one.textContent ?? "");
  for (const { scores, scorer } of shares) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    const figures = scores.join(" : ");
    button.textContent = scorer === null ? say("results.share", { scores: figures }) : say("results.scorer", { side: names[scorer] ?? "", scores: figures });
    button.addEventListener("click", () => void save(row, { share: true, scorer }).then(() => next(row, 1)));
    row.querySelector("[data-state]")!.append(" ", button);
  }
}

async function save(row: HTMLElement, more: { share?: boolean; scorer?: number | null } = {}): Promise<void> {
  const figures = figuresOf(row);
  const content = {
    seen: Number(row.dataset["head"]),
    scores: figures.points,
    sweeps: counted(figures.sweeps),
    stoecks: counted(figures.stoecks),
    melds: counted(figures.melds),
    signed: document.querySelector<HTMLInputElement>("[data-signed]")?.checked ?? false,
    ...more,
  };
  const body = JSON.stringify(content);
  const kept = ids.get(row);
  const id = kept?.body === body ? kept.id : commandId();
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
    return;
  }
  ids.delete(row);
  if (answer.row && answer.code === undefined) {
    show(row, answer.row);
    return;
  }
  if (answer.row && answer.code === "results/changed_since") show(row, answer.row);
  tell(row, answer.row && answer.code === "results/changed_since" ? `${words(answer)} ${answer.row.scores.join(" : ")}` : words(answer), true);
  offer(row, answer.shares ?? []);
}

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
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    next(row, event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (figuresOf(row).points.some((value) => value === null)) {
      adds(row);
      return;
    }
    const right = adds(row);
    void save(row);
    if (right) next(row, 1);
  }
});

find("[data-only-open]").addEventListener("change", ({ target }) => {
  find(".results-grid").classList.toggle("only-open", (target as HTMLInputElement).checked);
});

/** From a table of the round straight to its line; else to the first number to be typed, unless the reader is somewhere. */
const wanted = rows.find(({ id }) => `#${id}` === location.hash);
const first = wanted ?? rows.find(isOpen);
wanted?.scrollIntoView({ block: "center" });
if (first !== undefined && (wanted !== undefined || document.activeElement === document.body)) inputs(first, "points")[0]?.focus({ preventScroll: wanted !== undefined });

window.addEventListener("beforeunload", (event) => {
  if (ids.size > 0) event.preventDefault();
});
