/** The pages stored on this device for offline use, how long they are kept, and the events that erase them. Pure. */

/** A score sheet, a transcript, the slip with the person's own seat. */
const KEPT = [/^\/g\/[^/]+\/(sheet|transcribe)\/$/, /^\/c\/[^/]+\/rounds\/\d+\/slip\/\d+\/$/];
/** A POST to these paths changes the person. */
const ANOTHER_PERSON = ["/sign-in/", "/sign-out/", "/password/", "/t/"];
const MAX_AGE_MS = 24 * 3600 * 1000;

export const isKept = (url: URL): boolean => KEPT.some((pattern) => pattern.test(url.pathname));

export const makesForget = (url: URL): boolean => ANOTHER_PERSON.includes(url.pathname);

export const signsOut = (url: URL): boolean => url.pathname === "/sign-out/";

/** `made`: the response's `Date`; a page without one is not shown. */
export function isOfToday(made: string | null, now: number): boolean {
  const age = now - Date.parse(made ?? "");
  return age < MAX_AGE_MS;
}

/** The outcome of a request for a kept page. A restarting server says nothing about the page. */
export function learnt(answer: Pick<Response, "ok" | "status">): "keep" | "forget" | "nothing" {
  if (answer.ok) return "keep";
  return answer.status >= 500 || answer.status === 429 ? "nothing" : "forget";
}

/** Responses of a proxy without its server. */
export const isNobodyThere = (status: number): boolean => status >= 502 && status <= 504;
