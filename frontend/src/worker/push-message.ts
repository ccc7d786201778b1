/**
 * The text of a push message, and the page that a tap opens. Messages are encrypted for this browser; even so, they
 * cannot lead to other sites. Pure.
 */

export interface Told {
  title: string;
  body: string;
  tag: string;
  lang: string;
  path: string;
}

/** The request after a change of the push endpoint; null without the previous endpoint. */
export function movedTo(before: string | undefined, now: PushSubscriptionJSON): URLSearchParams | null {
  if (before === undefined || now.endpoint === undefined) return null;
  return new URLSearchParams({ before, endpoint: now.endpoint, ...now.keys });
}

const word = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise);

/** `text`: the message; an unreadable one, or one of a later version, is shown as far as possible. */
export function toldBy(text: string, origin: string): Told {
  let said: Record<string, unknown> = {};
  try {
    said = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    said = {};
  }
  const url = URL.canParse(word(said["path"], "/"), origin) ? new URL(word(said["path"], "/"), origin) : new URL(origin);
  const path = url.origin === origin ? url.pathname + url.search : "/";
  return { title: word(said["title"], "Puur"), body: word(said["body"]), tag: word(said["tag"]), lang: word(said["lang"]), path };
}
