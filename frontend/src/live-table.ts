/** A table as a spectator sees it. */

import { TurnClock } from "./clock";
import { Cloth, trickRows } from "./cloth";
import { showConnection } from "./connection";
import { find } from "./dom";
import type { EventBase } from "./events";
import type { Feed } from "./feed";
import { freshLines, linesOf, renderLog } from "./log-view";
import { readPage, say } from "./page";
import { renderDeals } from "./deals-view";
import { renderSlate } from "./slate-view";
import { Line } from "./socket";

/** More events than this at once are a catching up, not a move: everything lies where it belongs without moving. */
const CATCH_UP = 12;

const page = readPage();
const cloth = new Cloth(find("[data-cloth]"), page, {
  near: page.seat ?? 0,
  openHands: page.extra["open_hands"] === true,
  hideNearHand: false,
});
const clock = new TurnClock(page);
let seen: Feed | null = null;

function draw(feed: Feed, fresh: readonly EventBase[], live: boolean): void {
  const { table, prompt } = feed;
  const acting = prompt.turn?.seat ?? null;
  cloth.draw(table, acting, live);
  clock.turnOf(table, acting);
  clock.draw();
  renderLog(find("[data-log]"), linesOf(feed.events, page).slice(-60));
  const words = live ? freshLines(feed.events, fresh, page) : [];
  const newest = words[words.length - 1];
  if (newest !== undefined) cloth.status.textContent = newest.text;
  else if (acting !== null) cloth.status.textContent = say("table.turn_of", { name: page.names[acting] });
  renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table);
  const newestFirst = table.tricks.map((_, index) => index).reverse();
  find("[data-tricks]").replaceChildren(trickRows(page, table, newestFirst));
}

const line = new Line(page.socket, {
  onEvents(feed, fresh) {
    draw(feed, fresh, seen !== null && fresh.length < CATCH_UP);
    seen = feed;
  },
  onState: showConnection,
});

document.addEventListener("puur:deck", () => {
  if (seen) draw(seen, [], false);
});
line.open();
