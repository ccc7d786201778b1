/** Tips at a guest's table: the action of a bot in the player's position. The server returns it as an event. */

import { type Code, isCode } from "../table/cards";
import type { EventBase } from "../table/events";
import { linesOf } from "../watching/log-view";
import { cardName, contractName, type Page, say } from "../page";

/** The bot's action by the label of its button, without a player's name. */
const BUTTONS: Record<string, string> = { pushed: "choice.push", bid_made: "choice.bid", bid_passed: "choice.pass", bid_deferred: "choice.defer", prediction_made: "choice.predict", extra_kept: "choice.keep" };

type Tipped = EventBase & { card?: string; contract?: unknown; slot?: unknown };

/** `line`: the event as a sentence, if it is neither a card nor a button. */
export function tipOf(event: Tipped, line: () => string): string {
  if (isCode(event.card)) return cardName(event.card);
  if (typeof event.contract === "string" && !event.slot) return contractName(event.contract);
  const button = BUTTONS[event.type];
  return button === undefined ? line() : say(button, { ...event });
}

interface Answer {
  event?: Tipped | null;
  /** The reason: a sentence, or nothing. */
  reason?: string;
  detail?: string;
}

/** `events`: all so far; null before the first. `show`: shows the card, if one is to be played, and the text. */
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
        const { event } = answer;
        const what = tipOf(event, () => linesOf([...before, event], page).pop()?.text ?? "");
        const told = [say("play.tip", { what }), answer.reason ?? ""].filter(Boolean).join(" ");
        show(isCode(event.card) ? event.card : null, told, false);
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
