/**
 * Polled parts of pages (`hx-trigger="every 8s"`): paused while the page is hidden, slower while nothing changes
 * (except with `data-steady`), and always with an ETag. The ETag is kept here, not by the browser, so that 304 works
 * also for uncacheable parts, and for parts with the URL of an open page.
 */

import { Backoff, pauseOf } from "./polling-interval";

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
  /** The ETag of the shown content. */
  etag: string | null;
  /** A poll was due while the page was hidden. */
  missed: boolean;
}

/** `ask`: let htmx request a part at once; `clock`: milliseconds; `heard`: a part is up to date. */
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
