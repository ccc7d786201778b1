/** Whom this browser follows: kept here alone, by championship and number. A page about somebody goes on to his table by itself. */

const KEY = "puur_followed";
/** More than anybody looks after; the oldest go. */
const MOST = 8;
/** Championship and number, as they stand in an address: nothing else that lies in the storage becomes one. */
const SOMEBODY = /^([\w-]{1,80})\/(\d{1,7})$/;

export function followed(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string" && SOMEBODY.test(one)).slice(-MOST) : [];
  } catch {
    return [];
  }
}

function keep(people: readonly string[]): void {
  try {
    if (people.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(people.slice(-MOST)));
  } catch {
    return; // a storage that is full or closed follows nobody
  }
}

export const follow = (who: string): void => SOMEBODY.test(who) ? keep([...followed().filter((one) => one !== who), who]) : undefined;
export const unfollow = (who: string): void => keep(followed().filter((one) => one !== who));

/** Where he is, as a part of a page. */
export function addressOf(who: string): string {
  const [, slug, number] = SOMEBODY.exec(who) ?? [];
  return `/c/${slug}/people/${number}/follow/`;
}

/** Parts in which somebody is followed: what came last says where to. `gone`: he is not followed any more. */
export function watchParts(gone: (who: string, part: HTMLElement) => void): void {
  document.addEventListener("htmx:afterSwap", (event) => {
    const to = (event.target as HTMLElement).querySelector?.<HTMLAnchorElement>("[data-moves-to]");
    if (to) location.replace(to.href);
  });
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-unfollow]");
    if (button === null) return;
    const who = button.dataset["unfollow"] ?? "";
    unfollow(who);
    gone(who, button);
  });
}
