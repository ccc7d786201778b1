/** What a push message says, and which page a tap opens. It is ours and closed for this browser; all the same nothing in it leads elsewhere. Pure. */

export interface Told {
  title: string;
  body: string;
  tag: string;
  lang: string;
  path: string;
}

/** What is posted where a browser is reached elsewhere than before; null where it does not say where that was. */
export function movedTo(before: string | undefined, now: PushSubscriptionJSON): URLSearchParams | null {
  if (before === undefined || now.endpoint === undefined) return null;
  return new URLSearchParams({ before, endpoint: now.endpoint, ...now.keys });
}

const word = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise);

/** `text`: of the message; one that cannot be read, or of a version to come, is shown as far as it goes. */
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
