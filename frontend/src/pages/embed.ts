/** An embedded table: live while it is played, then a replay; `extra.at`: starting at that moment. */

import { Board, type BoardOptions } from "../board/board";
import { followNetwork, showConnection } from "../connection/connection-state";
import { find } from "../dom";
import type { EventBase, Frame } from "../table/events";
import { type Feed, NOTHING, receive } from "../connection/feed";
import { freshLines, linesOf } from "../watching/log-view";
import { LookingBack } from "../watching/looking-back";
import { SceneDelays } from "../board/scene-delays";
import { read, readPage, say } from "../page";
import { renderSlate } from "../slate/slate-view";
import { GameConnection } from "../connection/socket";
import type { Table } from "../table/table";

const page = readPage();
const view: BoardOptions = { near: 0, openHands: page.extra["open_hands"] === true, hideNearHand: false };
const board = new Board(find("[data-cloth]"), page, view);
const at = page.extra["at"];
/** Of a score sheet. */
const slate = document.querySelector<HTMLElement>("[data-slate]");
let seen: Feed | null = null;
const past = new LookingBack(page, board, view, () => {
  if (seen === null) return;
  drawCloth(seen, [], false);
  drawSlate(seen.table);
});
past.onLook = drawSlate;

function drawSlate(table: Table): void {
  if (slate !== null) renderSlate(slate, page, table);
}

function drawCloth({ table, prompt, events }: Feed, fresh: readonly EventBase[], live: boolean): void {
  const acting = prompt.turn?.seat ?? null;
  board.draw(table, acting, live);
  const words = live ? freshLines(events, fresh, page) : table.winners !== null ? linesOf(events, page) : [];
  board.status.textContent = words[words.length - 1]?.text ?? (acting === null ? "" : say("table.turn_of", { name: page.names[acting] }));
}

function take(feed: Feed, fresh: readonly EventBase[], live: boolean): void {
  const first = seen === null;
  past.take(feed.events);
  if (!past.looking) {
    drawCloth(feed, fresh, live);
    drawSlate(feed.table);
  }
  seen = feed;
  if (first && typeof at === "number") past.goTo(at);
}

if (page.extra["over"] === true) {
  void read<Frame & { events: EventBase[] }>(page, page.events).then((told) => {
    const received = told === null ? null : receive(NOTHING, { ...told, kind: "events" } as Frame);
    if (received === null) board.status.textContent = say("replay.failed");
    else take(received.feed, [], false);
  });
} else {
  const sceneDelays = new SceneDelays(page, take);
  const line = new GameConnection(page.socket, { onEvents: (feed, fresh) => sceneDelays.take(feed, fresh), onState: showConnection });
  line.open();
  followNetwork(line);
}
