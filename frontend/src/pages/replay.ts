/** A recorded game, card by card: timeline, open hands, choice of the near seat, links, legal cards, rulings. */

import { codesOf } from "../table/cards";
import { Board, type BoardOptions, type Lit } from "../board/board";
import { renderDeals } from "../board/deals-view";
import { find, h } from "../dom";
import type { EventBase } from "../table/events";
import { linesOf, renderLog } from "../watching/log-view";
import { askedFor, cardFollows, dealOf, seqOf } from "../table/moments";
import { readPage, say } from "../page";
import { offerSeats } from "../board/seen-from";
import { renderSlate } from "../slate/slate-view";
import { setStage } from "../board/stage";
import { trickRows } from "../watching/taken-tricks";
import type { Table } from "../table/table";
import { Timeline } from "../watching/timeline";
import { actingBefore } from "../table/turn";

const LEGAL_CARDS_DELAY_MS = 180;

const page = readPage();
const seen: BoardOptions = { near: page.seat ?? 0, openHands: true, hideNearHand: false, stays: () => !timeline.plays };
const board = new Board(find("[data-cloth]"), page, seen);
const hands = find<HTMLInputElement>("[data-open-hands]");
/** Only for a public game. */
const link = document.querySelector<HTMLAnchorElement>("[data-link]");
let asking = 0;

const timeline = new Timeline(page, (at, live) => {
  timeline.show(at);
  draw(live);
  const seq = timeline.events[at]?.seq ?? 0;
  history.replaceState(null, "", `#seq=${seq}`);
  if (link !== null) link.href = `?at=${seq}`;
  document.querySelector("[data-at-moment=at]")?.toggleAttribute("hidden", !cardFollows(timeline.events, at));
});

async function load(): Promise<void> {
  const response = await fetch(page.events, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(String(response.status));
  timeline.take(((await response.json()) as { events: EventBase[] }).events);
  const known = timeline.pictures.some((table) => table.hands.some((hand) => hand !== null));
  find("[data-open-hands-choice]").hidden = !known;
  drawNotable();
  const asked = askedFor(location.search);
  timeline.go(inHash() ?? (asked === null ? (timeline.deals[0]?.start ?? 0) : timeline.position(asked)));
}

/** The position of the URL's fragment. */
function inHash(): number | null {
  const [seq, deal] = [seqOf(location.hash), dealOf(location.hash)];
  return seq === null ? (timeline.deals.find((one) => one.deal === deal)?.start ?? null) : timeline.position(seq);
}

function draw(live: boolean, lit: Lit = new Map()): void {
  const { at, events } = timeline;
  const table = timeline.pictures[at];
  const event = events[at];
  if (table === undefined || event === undefined) return;
  const acting = actingBefore(events, at, table);
  board.draw(table, acting, live, lit);
  const lines = linesOf(events, page);
  const near = lines.filter((line) => line.seq <= event.seq).pop();
  renderLog(find("[data-log]"), lines, (seq) => timeline.go(timeline.position(seq)), near?.seq ?? -1);
  board.status.textContent = near?.text ?? "";
  renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table, (deal) => timeline.go(timeline.deals.find((one) => one.deal === deal)?.start ?? at));
  const newestFirst = table.tricks.map((_, index) => index).reverse();
  find("[data-tricks]").replaceChildren(trickRows(page, table, newestFirst, (seq) => timeline.go(timeline.position(seq))));
  if (lit.size === 0) askLegal(event.seq, acting, table);
}

/** Ask the server for the legal cards of a moment: it knows the rules and the reader's rights. */
function askLegal(seq: number, acting: number | null, table: Table): void {
  window.clearTimeout(asking);
  const next = timeline.events[timeline.at + 1]?.type ?? "card_played";
  if (acting === null || !seen.openHands || !table.hands[acting]?.length || !["card_played", "melds_declared"].includes(next)) return;
  asking = window.setTimeout(() => {
    void fetch(`${page.replay}?at=${seq}`, { headers: { Accept: "application/json" } })
      .then((response) => (response.ok ? response.json() : null))
      .then((answer: { snapshot: { legal?: string | null } } | null) => {
        const legal = answer?.snapshot.legal;
        if (timeline.events[timeline.at]?.seq !== seq || !legal) return;
        const cards = codesOf(legal);
        if (cards.length > 0) draw(false, new Map([[acting, cards]]));
      })
      .catch(() => undefined);
  }, LEGAL_CARDS_DELAY_MS);
}

function drawNotable(): void {
  const { events } = timeline;
  const lines = linesOf(events, page);
  const notable = events.filter((event) => event.type === "infraction_found" || event.type === "ruling_made");
  const links = notable.map((event) => {
    const text = lines.find((line) => line.seq === event.seq)?.text ?? "";
    // Show an infraction at its card, not at the later proof.
    const seq = (event as EventBase & { at_seq?: number }).at_seq ?? event.seq;
    return h("li", {}, h("button", { type: "button", class: "warn", click: () => timeline.go(timeline.position(seq)) }, text));
  });
  find("[data-notable]").replaceChildren(...links);
  find("[data-notable-panel]").hidden = links.length === 0;
}

offerSeats(page, board, seen, () => draw(false));
hands.addEventListener("change", () => {
  seen.openHands = hands.checked;
  draw(false);
});
document.querySelector("[data-copy]")?.addEventListener("click", () => {
  void navigator.clipboard?.writeText(link?.href ?? "").then(() => {
    find("[data-copied]").textContent = say("replay.copied");
  });
});
window.addEventListener("hashchange", () => {
  const at = inHash();
  if (at !== null && at !== timeline.at) timeline.go(at);
});
document.addEventListener("puur:deck", () => draw(false));

setStage();
load().catch(() => {
  board.status.textContent = say("replay.failed");
});
