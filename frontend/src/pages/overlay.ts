/** A video overlay: a running table, or only names and points. */

import { Board } from "../board/board";
import { runningChip } from "../board/rail";
import { followNetwork } from "../connection/connection-state";
import { h } from "../dom";
import { type Feed } from "../connection/feed";
import { SceneDelays } from "../board/scene-delays";
import { contractName, readPage, say, sideName } from "../page";
import { figure, sidesOf } from "../slate/slate-view";
import { GameConnection } from "../connection/socket";
import { rulesOf } from "../table/rules";
import { standingOf } from "../table/standing";
import type { Table } from "../table/table";

const page = readPage();
const root = document.querySelector<HTMLElement>("[data-cloth]");
const board = root && new Board(root, page, { near: 0, openHands: page.extra["open_hands"] === true, hideNearHand: false });
const strip = document.querySelector<HTMLElement>("[data-strip]");
/** The interval in seconds to look for the next round's table after this one is over; 0: never. */
const again = Number(page.extra["again"] ?? 0);
let waiting = 0;

function drawStrip(at: HTMLElement, table: Table): void {
  const deals = table.options["deals"];
  const deal = typeof deals === "number" ? say("table.deal_of", { deal: table.deal, deals }) : say("table.deal", { deal: table.deal });
  const standing = standingOf(table, rulesOf(page));
  const sides = sidesOf(table).map((side) =>
    h("div", { class: "overlay-side" }, h("span", {}, sideName(page, table, side)), h("strong", {}, figure(table.totals[side] ?? 0), runningChip(standing, side))),
  );
  at.replaceChildren(...sides, h("div", { class: "overlay-deal" }, table.deal ? deal : "", table.contract === null ? "" : ` · ${contractName(table.contract)}`));
}

function take({ table, prompt }: Feed, live: boolean): void {
  board?.draw(table, prompt.turn?.seat ?? null, live);
  if (strip !== null) drawStrip(strip, table);
  const over = table.winners !== null || table.closed !== null;
  if (over && again > 0 && waiting === 0) waiting = window.setTimeout(() => location.reload(), again * 1000);
}

const sceneDelays = new SceneDelays(page, (feed, _, live) => take(feed, live));
const line = new GameConnection(page.socket, { onEvents: (feed, fresh) => sceneDelays.take(feed, fresh), onState: () => undefined });
line.open();
followNetwork(line);
