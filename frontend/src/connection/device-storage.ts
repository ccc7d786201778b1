/**
 * Table data stored on this device: the last state, and typed input. A page opened without a network continues with
 * it. It is erased for another person, except commands that wait to be sent.
 */

type Kind = "feed" | "forms" | "draft" | "taps" | "aside" | "seen";

const key = (kind: Kind, game: string): string => `puur_${kind}_${game}`;
const FORGOTTEN = /^puur_(feed|forms|draft|taps|aside|seen)_/;
const WAITING = /^puur_outbox_/;

/** The storage key of a table's outbox. */
export const outboxOf = (game: string): string => `puur_outbox_${game}`;

/** null: remove the value. A full or blocked storage is ignored. */
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

/** Whether any input has not reached the server. */
export const isAnythingUnsent = (): boolean => keys().some((name) => WAITING.test(name) && localStorage.getItem(name) !== "[]");

export function forgetTables(): void {
  for (const name of keys().filter((one) => FORGOTTEN.test(one))) localStorage.removeItem(name);
}

export function forgetUnsent(): void {
  for (const name of keys().filter((one) => WAITING.test(one))) localStorage.removeItem(name);
}

/** Run the work of a table's windows one after the other; without TLS browsers have no locks. */
export function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request(name, work) as Promise<T> : work();
}
