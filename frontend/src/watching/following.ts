/** Followed people of this browser: stored only here, by championship and number. A page about a followed person navigates to their table. */

const KEY = "puur_followed";
/** The limit; the oldest are dropped. */
const MOST = 8;
/** Championship and number, as in a URL: other storage contents are ignored. */
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
    return; // without a usable storage nobody is followed
  }
}

export const follow = (who: string): void => SOMEBODY.test(who) ? keep([...followed().filter((one) => one !== who), who]) : undefined;
export const unfollow = (who: string): void => keep(followed().filter((one) => one !== who));

/** The URL of the part with the person's whereabouts. */
export function addressOf(who: string): string {
  const [, slug, number] = SOMEBODY.exec(who) ?? [];
  return `/c/${slug}/people/${number}/follow/`;
}

/** Follow the redirects of parts about a followed person. `gone`: the person is no longer followed. */
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
