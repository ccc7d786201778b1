/** Says in words whether the page is up to date. */

import { find } from "./dom";
import { say } from "./page";
import type { LineState } from "./socket";

export function showConnection(state: LineState): void {
  const mark = find("[data-connection]");
  mark.dataset["state"] = state;
  mark.textContent = say(`connection.${state}`);
}
