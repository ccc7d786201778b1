/** Tables on the wall of the hall, some at a time: each slate as it stands, live, and one of them with its cards. htmx
 * turns the pages. */

import { Cloth } from "../cloth/cloth";
import type { EventBase } from "../table/events";
import type { Feed } from "../line/feed";
import { linesOf } from "../watching/log-view";
import { Pace } from "../cloth/pace";
import { contractName, type Page, say } from "../page";
import { countDown } from "../watching/countdown";
import { renderSlate } from "../slate/slate-view";
import { Line } from "../line/socket";
import type { Table } from "../table/table";

const lines: Line[] = [];

/** `rail`: the contract stands on one above the cards. */
function moment(table: Table, rail: boolean): string {
  const deals = table.options["deals"];
  const words = typeof deals === "number" ? say("table.deal_of", { deal: table.deal, deals }) : say("table.deal", { deal: table.deal });
  return rail || table.contract === null || table.winners !== null ? words : `${words} · ${contractName(table.contract)}`;
}

function draw(page: Page, cloth: Cloth, feed: Feed, fresh: readonly EventBase[], live: boolean): void {
  cloth.draw(feed.table, feed.prompt.turn?.seat ?? null, live);
  const last = linesOf(feed.events, page).pop();
  if (live && fresh.length > 0 && last !== undefined) cloth.status.textContent = last.text;
}

function follow(root: HTMLElement): Line {
  const part = (name: string): HTMLElement => root.querySelector<HTMLElement>(`[data-${name}]`) as HTMLElement;
  const page = JSON.parse(root.querySelector("script")?.textContent ?? "{}") as Page;
  const felt = root.querySelector<HTMLElement>("[data-cloth]");
  const cloth = felt && new Cloth(felt, page, { near: 0, openHands: false, hideNearHand: false });
  const pace = new Pace(page, (feed, fresh, live) => cloth && draw(page, cloth, feed, fresh, live));
  const line = new Line(page.socket, {
    onEvents(feed, fresh) {
      const { table } = feed;
      if (cloth !== null) pace.take(feed, fresh);
      renderSlate(part("slate"), page, table);
      if (table.deal > 0) part("moment").textContent = moment(table, cloth !== null);
    },
    onState: () => undefined,
  });
  line.open();
  return line;
}

/** What was shown before is let go: a page holds no more lines than it has slates. */
function show(): void {
  for (const line of lines.splice(0)) line.close();
  for (const root of document.querySelectorAll<HTMLElement>("[data-projected]")) lines.push(follow(root));
}

document.addEventListener("htmx:afterSettle", show);
show();
countDown();
