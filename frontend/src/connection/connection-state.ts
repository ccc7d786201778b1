/** The connection state in words, and reconnection when the network is back. */

import { find } from "../dom";
import { say } from "../page";
import type { GameConnection, ConnectionState } from "./socket";

/** Show the content that was hidden until the table arrived, so that nothing moves; also if it cannot arrive. */
export function arrived(): void {
  document.querySelector("[data-arriving]")?.removeAttribute("data-arriving");
}

export function showConnection(state: ConnectionState): void {
  if (state === "lost") arrived();
  const mark = find("[data-connection]");
  mark.dataset["state"] = state;
  mark.textContent = say(`connection.${state}`);
}

/** Show the number of spectators; hide it at zero. */
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
