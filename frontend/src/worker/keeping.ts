/** Which pages this device keeps for when there is no network, for how long, and what makes it forget them. Pure. */

/** A score sheet, a transcript, the slip with one's own seat. */
const KEPT = [/^\/g\/[^/]+\/(sheet|transcribe)\/$/, /^\/c\/[^/]+\/rounds\/\d+\/slip\/\d+\/$/];
/** Whoever sends something there is another person from then on, or nobody. */
const ANOTHER_PERSON = ["/sign-in/", "/sign-out/", "/password/", "/t/"];
const A_DAY = 24 * 3600 * 1000;

export const isKept = (url: URL): boolean => KEPT.some((pattern) => pattern.test(url.pathname));

export const makesForget = (url: URL): boolean => ANOTHER_PERSON.includes(url.pathname);

export const signsOut = (url: URL): boolean => url.pathname === "/sign-out/";

/** `made`: the `Date` of the answer; one that does not say when it was made is not shown. */
export function isOfToday(made: string | null, now: number): boolean {
  const age = now - Date.parse(made ?? "");
  return age < A_DAY;
}

/** What became of asking for a page that is kept. Where a server is just restarting, nothing was learnt. */
export function learnt(answer: Pick<Response, "ok" | "status">): "keep" | "forget" | "nothing" {
  if (answer.ok) return "keep";
  return answer.status >= 500 || answer.status === 429 ? "nothing" : "forget";
}

/** Answers of a proxy with nobody behind it. */
export const isNobodyThere = (status: number): boolean => status >= 502 && status <= 504;
