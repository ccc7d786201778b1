/** What somebody wishes for at tables: boxes of the menu, remembered on this device. */

export type Wish = "sound" | "vibration" | "twice" | "forced" | "sure";

const key = (wish: string): string => `puur_${wish}`;

/** What cannot be taken back is asked twice until somebody does not want that. */
const WISHED_FROM_THE_FIRST: readonly Wish[] = ["sure"];

export const wished = (wish: Wish): boolean => (localStorage.getItem(key(wish)) ?? (WISHED_FROM_THE_FIRST.includes(wish) ? "1" : "0")) === "1";

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
