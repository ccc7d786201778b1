/**
 * What this device remembers of tables: what it saw last, and what is typed there. A page that is opened without a
 * network goes on with it. Another person finds nothing of it; only what waits to be sent goes by itself alone.
 */

type Kind = "feed" | "forms" | "draft" | "taps" | "aside" | "seen";

const key = (kind: Kind, game: string): string => `puur_${kind}_${game}`;
const FORGOTTEN = /^puur_(feed|forms|draft|taps|aside|seen)_/;
const WAITING = /^puur_outbox_/;

/** Where the letters of a table wait. */
export const outboxOf = (game: string): string => `puur_outbox_${game}`;

/** null: nothing is to be remembered any more. A storage that is full or closed is one that remembers nothing. */
export function remember(kind: Kind, game: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key(kind, game));
    else localStorage.setItem(key(kind, game), JSON.stringify(value));
  } catch {
    return;
  }
}

export function remembered<T>(kind: Kind, game: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key(kind, game)) ?? "null") as T | null;
  } catch {
    return null;
  }
}

const keys = (): string[] => [...Array(localStorage.length).keys()].map((at) => localStorage.key(at) ?? "");

/** Whether anything that was typed here has not reached the server. */
export const isAnythingUnsent = (): boolean => keys().some((name) => WAITING.test(name) && localStorage.getItem(name) !== "[]");

export function forgetTables(): void {
  for (const name of keys().filter((one) => FORGOTTEN.test(one))) localStorage.removeItem(name);
}

export function forgetUnsent(): void {
  for (const name of keys().filter((one) => WAITING.test(one))) localStorage.removeItem(name);
}

/** Of several windows with the same table one after the other; without TLS a browser has no way to say so. */
export function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request(name, work) as Promise<T> : work();
}
