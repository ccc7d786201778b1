/** Tables for a projector: live slates, and one table with its cards. htmx changes the pages. */

import { Board } from "../board/board";
import type { EventBase } from "../table/events";
import type { Feed } from "../connection/feed";
import { linesOf } from "../watching/log-view";
import { SceneDelays } from "../board/scene-delays";
import { contractName, type Page, say } from "../page";
import { countDown } from "../watching/countdown";
import { renderSlate } from "../slate/slate-view";
import { GameConnection } from "../connection/socket";
import type { Table } from "../table/table";

const lines: GameConnection[] = [];

/** `rail`: the contract is on a rail above the cards. */
function moment(table: Table, rail: boolean): string {
  const deals = table.options["deals"];
  const words = typeof deals === "number" ? say("table.deal_of", { deal: table.deal, deals }) : say("table.deal", { deal: table.deal });
  return rail || table.contract === null || table.winners !== null ? words : `${words} · ${contractName(table.contract)}`;
}

function draw(page: Page, board: Board, feed: Feed, fresh: readonly EventBase[], live: boolean): void {
  board.draw(feed.table, feed.prompt.turn?.seat ?? null, live);
  const last = linesOf(feed.events, page).pop();
  if (live && fresh.length > 0 && last !== undefined) board.status.textContent = last.text;
}

function follow(root: HTMLElement): GameConnection {
  const part = (name: string): HTMLElement => root.querySelector<HTMLElement>(`[data-${name}]`) as HTMLElement;
  const page = JSON.parse(root.querySelector("script")?.textContent ?? "{}") as Page;
  const place = root.querySelector<HTMLElement>("[data-cloth]");
  const board = place && new Board(place, page, { near: 0, openHands: false, hideNearHand: false });
  const sceneDelays = new SceneDelays(page, (feed, fresh, live) => board && draw(page, board, feed, fresh, live));
  const line = new GameConnection(page.socket, {
    onEvents(feed, fresh) {
      const { table } = feed;
      if (board !== null) sceneDelays.take(feed, fresh);
      renderSlate(part("slate"), page, table);
      if (table.deal > 0) part("moment").textContent = moment(table, board !== null);
    },
    onState: () => undefined,
  });
  line.open();
  return line;
}

/** Close all connections; follow the page's current slates. */
function show(): void {
  for (const line of lines.splice(0)) line.close();
  for (const root of document.querySelectorAll<HTMLElement>("[data-projected]")) lines.push(follow(root));
}

document.addEventListener("htmx:afterSettle", show);
show();
countDown();
