/** *Tip*, at a guest's table: what a bot would do with what one sees. The server says it as the event that it would cause. */

import { type Code, isCode } from "../table/cards";
import type { EventBase } from "../table/events";
import { linesOf } from "../watching/log-view";
import { type Page, say } from "../page";

interface Answer {
  event?: (EventBase & { card?: unknown }) | null;
  detail?: string;
}

/** `events`: all that have happened; null before the first. `show`: the card, where one is to be played, and the words. */
export function offerTip(
  page: Page,
  events: () => readonly EventBase[] | null,
  show: (card: Code | null, text: string, warn: boolean) => void,
): void {
  const button = document.querySelector<HTMLButtonElement>("[data-tip]");
  const address = page.extra["tip"];
  if (button === null || typeof address !== "string") return;
  button.hidden = false;
  const ask = async (): Promise<void> => {
    button.disabled = true;
    try {
      const response = await fetch(address, { headers: { Accept: "application/json" } });
      const answer = (await response.json()) as Answer;
      const before = events() ?? [];
      if (!response.ok) show(null, answer.detail ?? say("error.unknown"), true);
      else if (!answer.event) show(null, say("play.no_tip"), false);
      else if (answer.event.seq === (before[before.length - 1]?.seq ?? -1) + 1) {
        const card = String(answer.event.card ?? "");
        const what = linesOf([...before, answer.event], page).pop()?.text ?? "";
        show(isCode(card) ? card : null, say("play.tip", { what }), false);
      }
    } catch {
      show(null, say("error.unknown"), true);
    } finally {
      button.disabled = false;
    }
  };
  button.addEventListener("click", () => void ask());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "h" || event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("input, select, textarea, dialog[open]")) return;
    void ask();
  });
}
