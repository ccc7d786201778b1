/** Table preferences: checkboxes of the menu, stored on this device. */

export type Wish = "sound" | "vibration" | "twice" | "forced" | "sure";

const key = (wish: string): string => `puur_${wish}`;

/** Preferences that are on by default: irrevocable actions ask for confirmation. */
const WISHED_FROM_THE_FIRST: readonly Wish[] = ["sure"];

export const wished = (wish: Wish): boolean => (localStorage.getItem(key(wish)) ?? (WISHED_FROM_THE_FIRST.includes(wish) ? "1" : "0")) === "1";

/** `changed` gets the new preference, so that its effect can be heard or felt at once. */
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
