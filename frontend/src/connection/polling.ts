/**
 * Parts of pages that htmx asks for again and again (`hx-trigger="every 8s"`): not while nobody sees the page, more
 * seldom while nothing changes (a part with `data-steady` never), and always with the ETag of what stands there. The ETag is kept here, not by the
 * browser: so it says 304 also of parts that no cache may keep, and of those that an open page shares its address with.
 */

import { Backoff, pauseOf } from "./backoff";

interface Answer {
  readonly status: number;
  getResponseHeader(name: string): string | null;
}

interface Part extends EventTarget {
  getAttribute(name: string): string | null;
}

interface Page extends EventTarget {
  readonly visibilityState: string;
  querySelectorAll(selector: string): Iterable<Part>;
}

interface Detail {
  elt: Part;
  triggeringEvent?: Event;
  headers: Record<string, string>;
  xhr: Answer;
  shouldSwap: boolean;
  successful?: boolean;
  requestConfig: { elt: Part };
}

interface Kept {
  backoff: Backoff;
  /** Of what the part shows. */
  etag: string | null;
  /** It was to be asked for while nobody saw it. */
  missed: boolean;
}

/** `ask`: have htmx ask for a part at once; `clock`: milliseconds; `heard`: what a part shows is true now. */
export function poll(
  page: Page,
  ask: (part: Part) => void,
  clock: () => number,
  heard: (part: Part) => void = () => undefined,
): void {
  const known = new WeakMap<Part, Kept>();

  const kept = (part: Part): Kept | null => {
    const there = known.get(part);
    if (there !== undefined) return there;
    const pause = pauseOf(part.getAttribute("hx-trigger"));
    if (pause === null) return null;
    const steady = part.getAttribute("data-steady") !== null;
    const made = { backoff: new Backoff(pause, steady), etag: null, missed: false };
    known.set(part, made);
    return made;
  };
  const on = (name: string, react: (detail: Detail, event: Event) => void): void =>
    page.addEventListener(name, (event) => react((event as CustomEvent<Detail>).detail, event));
  const all = (): Part[] => [...page.querySelectorAll("[hx-trigger*='every ']")];

  on("htmx:confirm", (detail, event) => {
    const part = detail.triggeringEvent === undefined ? kept(detail.elt) : null;
    if (part === null) return;
    if (page.visibilityState === "hidden") part.missed = true;
    else if (part.backoff.isTime(clock())) return;
    event.preventDefault();
  });
  on("htmx:configRequest", (detail) => {
    const part = kept(detail.elt);
    if (part === null) return;
    part.missed = false;
    part.backoff.asks(clock());
    if (part.etag !== null) detail.headers["If-None-Match"] = part.etag;
  });
  on("htmx:beforeSwap", (detail) => {
    if (detail.xhr.status === 304) detail.shouldSwap = false;
  });
  on("htmx:afterRequest", ({ requestConfig, xhr, successful }) => {
    const part = kept(requestConfig.elt);
    if (part === null) return;
    part.backoff.answered(xhr.status, xhr.getResponseHeader("Retry-After"), clock());
    if (successful && xhr.status === 200) part.etag = xhr.getResponseHeader("ETag");
    if (successful) heard(requestConfig.elt);
  });
  on("visibilitychange", () => {
    if (page.visibilityState === "hidden") return;
    for (const part of all()) {
      const there = kept(part);
      there?.backoff.stirred();
      if (there?.missed || there?.backoff.isLate(clock())) ask(part);
    }
  });
  for (const name of ["pointerdown", "keydown"]) {
    on(name, () => all().forEach((part) => kept(part)?.backoff.stirred()));
  }
}
