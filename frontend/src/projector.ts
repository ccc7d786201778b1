/** Tables on the wall of the hall, some at a time: each slate as it stands, live. htmx turns the pages. */

import { contractName, say, type Slated } from "./page";
import { renderSlate } from "./slate-view";
import { Line } from "./socket";
import type { Table } from "./table";

interface Shown extends Slated {
  socket: string;
}

const lines: Line[] = [];

function moment(table: Table): string {
  const deals = table.options["deals"];
  const words = typeof deals === "number" ? say("table.deal_of", { deal: table.deal, deals }) : say("table.deal", { deal: table.deal });
  return table.contract === null || table.winners !== null ? words : `${words} · ${contractName(table.contract)}`;
}

function follow(root: HTMLElement): Line {
  const part = (name: string): HTMLElement => root.querySelector<HTMLElement>(`[data-${name}]`) as HTMLElement;
  const page = JSON.parse(root.querySelector("script")?.textContent ?? "{}") as Shown;
  const line = new Line(page.socket, {
    onEvents({ table }) {
      renderSlate(part("slate"), page, table);
      if (table.deal > 0) part("moment").textContent = moment(table);
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
