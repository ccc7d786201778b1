/** A recorded game, moment by moment: scrubber, keys, links, legal cards at the time, infractions and rulings. */

import { codesOf } from "./cards";
import { Cloth, type Lit, trickRows } from "./cloth";
import { find, h, s } from "./dom";
import type { EventBase } from "./events";
import { linesOf, renderLog } from "./log-view";
import { jump, momentsOf, seqOf } from "./moments";
import { readPage, say } from "./page";
import { renderDeals } from "./deals-view";
import { renderSlate } from "./slate-view";
import { EMPTY, reduce, type Table } from "./table";
import { actingBefore } from "./turn";

const PACE = 900;
const LEGAL_DELAY = 180;
/** What comes before the first thing to look at. */
const SILENT = ["hand_dealt", "hand_taken_up", "extra_dealt", "table_dealt"];
const OPENING = ["game_started", "deal_started", ...SILENT, "talon_dealt", "trump_turned"];

const page = readPage();
const cloth = new Cloth(find("[data-cloth]"), page, { near: page.seat ?? 0, openHands: true, hideNearHand: false });
const slider = find<HTMLInputElement>("[data-slider]");
let events: readonly EventBase[] = [];
let pictures: Table[] = [];
let moments = momentsOf([]);
let at = 0;
let playing = 0;
let asking = 0;

async function load(): Promise<void> {
  const response = await fetch(page.events, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(String(response.status));
  events = ((await response.json()) as { events: EventBase[] }).events;
  let table = EMPTY;
  pictures = events.map((event) => (table = reduce(table, event)));
  moments = momentsOf(events);
  slider.max = String(Math.max(0, events.length - 1));
  drawMarks();
  const asked = seqOf(location.hash);
  const opening = events.findIndex((event) => !OPENING.includes(event.type));
  go(asked === null ? Math.max(0, opening) : events.findIndex((event) => event.seq >= asked), false);
}

function go(position: number, live: boolean): void {
  const last = events.length - 1;
  at = position < 0 ? last : Math.min(last, position);
  draw(live);
  const seq = events[at]?.seq ?? 0;
  history.replaceState(null, "", `#seq=${seq}`);
  find<HTMLAnchorElement>("[data-link]").href = `#seq=${seq}`;
}

function draw(live: boolean, lit: Lit = new Map()): void {
  const table = pictures[at];
  const event = events[at];
  if (table === undefined || event === undefined) return;
  const acting = actingBefore(events, at, table);
  cloth.draw(table, acting, live, lit);
  const lines = linesOf(events, page);
  const near = lines.filter((line) => line.seq <= event.seq).pop();
  renderLog(find("[data-log]"), lines, (seq) => go(events.findIndex((e) => e.seq === seq), false), near?.seq ?? -1);
  cloth.status.textContent = near?.text ?? "";
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", near?.text ?? "");
  find("[data-position]").textContent = position(table);
  renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table);
  find("[data-tricks]").replaceChildren(trickRows(page, table, table.tricks.map((_, index) => index).reverse()));
  if (lit.size === 0) askLegal(event.seq, acting, table);
}

function position(table: Table): string {
  const moment = say("replay.position", { at: at + 1, of: events.length, deal: table.deal });
  return table.mode === "sheet" ? moment : `${moment}, ${say("replay.trick", { trick: table.tricks.length + 1 })}`;
}

/** What was allowed at that moment is the server's to say: it knows the rules and who may see which hand. */
function askLegal(seq: number, seat: number | null, table: Table): void {
  window.clearTimeout(asking);
  if (seat === null || !table.hands[seat]?.length || !["card_played", "melds_declared"].includes(events[at + 1]?.type ?? "card_played")) return;
  asking = window.setTimeout(() => {
    void fetch(`${page.replay}?at=${seq}`, { headers: { Accept: "application/json" } })
      .then((response) => (response.ok ? response.json() : null))
      .then((answer: { snapshot: { legal?: string | null } } | null) => {
        const legal = answer?.snapshot.legal;
        if (events[at]?.seq !== seq || !legal) return;
        const cards = codesOf(legal);
        if (cards.length > 0) draw(false, new Map([[seat, cards]]));
      })
      .catch(() => undefined);
  }, LEGAL_DELAY);
}

function drawMarks(): void {
  const width = 1000;
  const place = (index: number): number => 8 + (index / Math.max(1, events.length - 1)) * (width - 16);
  const marks = s("svg", { class: "scrubber-marks", viewBox: `0 0 ${width} 18`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const index of moments.tricks) marks.append(s("rect", { class: "trick-mark", x: place(index) - 0.5, y: 6, width: 1, height: 6 }));
  for (const { at: index } of moments.deals) marks.append(s("rect", { class: "deal", x: place(index) - 1.2, y: 1, width: 2.4, height: 16 }));
  for (const index of moments.infractions) marks.append(s("path", { class: "infraction", d: `M${place(index) - 6} 1h12l-6 15z` }));
  for (const index of moments.rulings) marks.append(s("rect", { class: "ruling", x: place(index) - 4, y: 3, width: 8, height: 12, rx: 2 }));
  find("[data-marks]").replaceChildren(marks);
  const notable = [...moments.infractions, ...moments.rulings].sort((a, b) => a - b);
  const lines = linesOf(events, page);
  const links = notable.map((index) => {
    const seq = events[index]?.seq ?? 0;
    const text = lines.find((line) => line.seq === seq)?.text ?? "";
    return h("li", {}, h("button", { type: "button", class: "warn", click: () => go(cardBefore(index), false) }, text));
  });
  find("[data-notable]").replaceChildren(...links);
  find("[data-notable-panel]").hidden = links.length === 0;
}

/** An infraction is looked at where the card fell, not where it was proved. */
function cardBefore(index: number): number {
  const found = events[index] as (EventBase & { at_seq?: number }) | undefined;
  return found?.at_seq === undefined ? index : events.findIndex((event) => event.seq === found.at_seq);
}

function toggle(): void {
  const button = find("[data-play]");
  if (playing) {
    window.clearInterval(playing);
    playing = 0;
  } else {
    if (at >= events.length - 1) go(0, false);
    playing = window.setInterval(() => (at >= events.length - 1 ? toggle() : go(nextShown(), true)), PACE);
  }
  button.textContent = say(playing ? "replay.pause" : "replay.play");
}

/** While playing, what nobody would mention (a hand being dealt) is passed over at once. */
function nextShown(): number {
  let next = at + 1;
  while (next < events.length - 1 && SILENT.includes(events[next]?.type ?? "")) next += 1;
  return next;
}

const ACTIONS: Record<string, () => void> = {
  "step-back": () => go(Math.max(0, at - 1), false),
  "step-on": () => go(at + 1, true),
  "trick-back": () => go(jump(moments.tricks, at, -1), false),
  "trick-on": () => go(jump(moments.tricks, at, 1), false),
  "deal-back": () => go(jump(moments.deals.map((deal) => deal.at), at, -1), false),
  "deal-on": () => go(jump(moments.deals.map((deal) => deal.at), at, 1), false),
  first: () => go(0, false),
  last: () => go(events.length - 1, false),
};
for (const [name, action] of Object.entries(ACTIONS)) {
  document.querySelector(`[data-go="${name}"]`)?.addEventListener("click", action);
}
find("[data-play]").addEventListener("click", toggle);
slider.addEventListener("input", () => go(Number(slider.value), false));
find("[data-copy]").addEventListener("click", () => {
  void navigator.clipboard?.writeText(location.href).then(() => {
    find("[data-copied]").textContent = say("replay.copied");
  });
});

const KEYS: Record<string, string> = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "first", End: "last", PageUp: "trick-back", PageDown: "trick-on" };
document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input:not([type=range]), select, textarea, summary")) return;
  if (event.key === " " && !target.matches("button, a")) {
    event.preventDefault();
    toggle();
    return;
  }
  const name = KEYS[event.key];
  if (name !== undefined) {
    event.preventDefault();
    ACTIONS[name]?.();
  }
});
window.addEventListener("hashchange", () => {
  const seq = seqOf(location.hash);
  if (seq !== null && seq !== events[at]?.seq) go(events.findIndex((event) => event.seq >= seq), false);
});
document.addEventListener("puur:deck", () => draw(false));

load().catch(() => {
  cloth.status.textContent = say("replay.failed");
});
