/**
 * Confirmation of irrevocable announcements: the first tap asks, and a second one at another place sends. `unasked`
 * buttons need none; `final` ones always ask.
 */

import { h } from "../dom";
import { say } from "../page";

/** `wanted`: whether the player's preference is to be asked; `changed`: the offer has changed. */
export function confirmSayings(root: HTMLElement, wanted: () => boolean, changed: () => void): void {
  let asked: HTMLElement | null = null;
  const close = (): void => {
    root.querySelector(".confirming")?.remove();
    asked?.removeAttribute("aria-pressed");
    asked = null;
  };
  const ask = (button: HTMLElement): void => {
    close();
    asked = button;
    button.setAttribute("aria-pressed", "true");
    const what = button.innerText.replace(/\s+/g, " ").trim();
    const confirm = h("button", { type: "button", class: "choice strong unasked", "data-confirm": true, click: () => (close(), button.click()) }, say("choice.yes", { what }));
    const back = h("button", { type: "button", class: "choice push unasked", click: () => (close(), changed(), button.focus({ preventScroll: true })) }, say("choice.no"));
    // The confirmation is above the offered buttons: these keep their place, and a tap at the same place confirms
    // nothing.
    root.prepend(h("div", { class: "confirming", role: "group", "aria-label": say("choice.sure", { what }) }, confirm, back));
    changed();
    confirm.focus({ preventScroll: true });
  };
  const tapped = (event: Event): void => {
    const button = (event.target as Element).closest<HTMLElement>("button.choice:not(.unasked)");
    // Untrusted clicks pass: the player's second tap and the text interface press the button by script.
    if (button === null || !event.isTrusted || !(wanted() || button.matches(".final"))) return;
    event.stopPropagation();
    event.preventDefault();
    if (button !== asked) ask(button);
  };
  root.addEventListener("click", tapped, true);
}
