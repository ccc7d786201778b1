/** Says in words whether the page is up to date, and has it be so again at once when the network is back. */

import { find } from "./dom";
import { say } from "./page";
import type { Line, LineState } from "./socket";

export function showConnection(state: LineState): void {
  const mark = find("[data-connection]");
  mark.dataset["state"] = state;
  mark.textContent = say(`connection.${state}`);
}

export function followNetwork(line: Line): void {
  window.addEventListener("offline", () => line.sever());
  window.addEventListener("online", () => line.wake());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) line.wake();
  });
}
