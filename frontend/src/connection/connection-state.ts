/** Says in words whether the page is up to date, and has it be so again at once when the network is back. */

import { find } from "../dom";
import { say } from "../page";
import type { GameConnection, ConnectionState } from "./socket";

/** What was kept back until the table is there, so that nothing moves, is shown; also where it cannot come. */
export function arrived(): void {
  document.querySelector("[data-arriving]")?.removeAttribute("data-arriving");
}

export function showConnection(state: ConnectionState): void {
  if (state === "lost") arrived();
  const mark = find("[data-connection]");
  mark.dataset["state"] = state;
  mark.textContent = say(`connection.${state}`);
}

/** How many watch, wherever the page says so; nothing where nobody does. */
export function showWatching(count: unknown): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-watching]")) {
    place.hidden = typeof count !== "number" || count < 1;
    place.textContent = say("connection.watching", { count });
  }
}

export function followNetwork(line: GameConnection): void {
  window.addEventListener("offline", () => line.sever());
  window.addEventListener("online", () => line.wake());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) line.wake();
  });
}
