/** What somebody wishes for at tables: boxes of the menu, remembered on this device, off until asked for. */

import { say } from "../page";

export type Wish = "sound" | "vibration" | "twice" | "forced" | "sure";

const key = (wish: string): string => `puur_${wish}`;

export const wished = (wish: Wish): boolean => localStorage.getItem(key(wish)) === "1";

/** `changed` is told what was just wished for, so that it can be heard or felt at once. */
export function offerWishes(changed: (wish: Wish) => void): void {
  for (const box of document.querySelectorAll<HTMLInputElement>("[data-wish]")) {
    const wish = box.dataset["wish"] as Wish;
    if (wish === "vibration" && !("vibrate" in navigator)) {
      box.closest("label")?.remove();
      continue;
    }
    box.checked = wished(wish);
    box.addEventListener("change", () => {
      localStorage.setItem(key(wish), box.checked ? "1" : "0");
      if (box.checked) changed(wish);
    });
  }
}

/** Where it is wished for, the first tap on something to say only asks, and the second says it. What says nothing yet,
 * or asks by itself, is `unasked`. */
export function askFirst(root: HTMLElement): void {
  let asked: { button: HTMLElement; before: Node[] } | null = null;
  const ask = (event: Event): void => {
    const button = (event.target as Element).closest<HTMLElement>("button.choice:not(.unasked)");
    if (button === null || !wished("sure") || button === asked?.button) return;
    event.stopPropagation();
    event.preventDefault();
    asked?.button.replaceChildren(...asked.before);
    asked = { button, before: [...button.childNodes] };
    button.textContent = say("choice.sure", { what: button.textContent ?? "" });
  };
  root.addEventListener("click", ask, true);
}
