/** A table for spectators. */

import { showOthers } from "../watching/other-tables";
import { TurnClock } from "../board/clock";
import { Board, type BoardOptions } from "../board/board";
import { follow, watchParts } from "../watching/following";
import { followNetwork, showConnection, showWatching } from "../connection/connection-state";
import { find } from "../dom";
import type { EventBase } from "../table/events";
import type { Feed } from "../connection/feed";
import { freshLines, linesOf, renderLog } from "../watching/log-view";
import { LookingBack } from "../watching/looking-back";
import { SceneDelays } from "../board/scene-delays";
import { readPage, say } from "../page";
import { renderDeals } from "../board/deals-view";
import { offerSeats } from "../board/seen-from";
import { renderSlate } from "../slate/slate-view";
import { GameConnection } from "../connection/socket";
import { give, signalOf } from "../board/sounds";
import { setStage } from "../board/stage";
import { trickRows } from "../watching/taken-tricks";
import { offerWishes } from "../board/table-preferences";

const page = readPage();
/** At the near edge: the followed player's seat, else the reader's. */
const near = (page.extra["near"] as number | null | undefined) ?? page.seat ?? 0;
const view: BoardOptions = { near, openHands: page.extra["open_hands"] === true, hideNearHand: false, people: (page.extra["people"] as string[] | undefined) ?? [] };
const board = new Board(find("[data-cloth]"), page, view);
const clock = new TurnClock(page);
let seen: Feed | null = null;
const past = new LookingBack(page, board, view, () => {
  if (seen === null) return;
  drawCloth(seen, [], false);
  renderSlate(find("[data-slate]"), page, seen.table);
});
/** A score sheet's slate is on the board, and has a replay like cards. */
const paper = document.querySelector(".table-surface.paper") !== null;
if (paper) past.onLook = (table) => renderSlate(find("[data-slate]"), page, table);

function drawCloth(feed: Feed, fresh: readonly EventBase[], live: boolean): void {
  const { table, prompt } = feed;
  const acting = prompt.turn?.seat ?? null;
  board.draw(table, acting, live);
  clock.draw();
  // Keep the last sentences of a finished game on the page.
  const words = live ? freshLines(feed.events, fresh, page) : table.winners !== null ? linesOf(feed.events, page) : [];
  const newest = words[words.length - 1];
  const clocked = fresh.some((event) => event.seq === clock.acted.seq) ? clock.acted.text : "";
  if (newest !== undefined) board.status.textContent = `${clocked} ${newest.text}`.trim();
  else if (acting !== null) board.status.textContent = say("table.turn_of", { name: page.names[acting] });
}

function draw(feed: Feed, fresh: readonly EventBase[], live: boolean): void {
  const { table } = feed;
  past.take(feed.events);
  if (!past.looking) drawCloth(feed, fresh, live);
  renderLog(find("[data-log]"), linesOf(feed.events, page).slice(-60));
  if (!(paper && past.looking)) renderSlate(find("[data-slate]"), page, table);
  renderDeals(find("[data-deals]"), page, table);
  const newestFirst = table.tricks.map((_, index) => index).reverse();
  find("[data-tricks]").replaceChildren(trickRows(page, table, newestFirst));
}

const sceneDelays = new SceneDelays(page, (feed, fresh, live) => {
  draw(feed, fresh, live);
  if (live) give(signalOf(fresh, false));
  seen = feed;
});
const line = new GameConnection(page.socket, {
  onEvents(feed, fresh) {
    clock.heard(feed, fresh, null);
    sceneDelays.take(feed, fresh);
  },
  onState: showConnection,
  onWatching: showWatching,
});

document.addEventListener("puur:deck", () => {
  if (seen) draw(seen, [], false);
  if (past.looking) past.redraw();
});
offerSeats(page, board, view, () => {
  if (past.looking) past.redraw();
  else if (seen) drawCloth(seen, [], false);
});
setStage();
showOthers(page, line);
const following = document.querySelectorAll<HTMLElement>("[data-follow]");
if (following[0] !== undefined) {
  follow(following[0].dataset["follow"] ?? "");
  watchParts(() => {
    for (const one of following) one.remove();
    history.replaceState(null, "", location.pathname);
  });
}
offerWishes(() => give("card"));
line.open();
showWatching(page.extra["watching"]);
followNetwork(line);
