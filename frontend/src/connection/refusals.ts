/** What people read when what they did is refused. Pages that only show do not load this, nor all the sentences. */

import { say } from "../page";

/** The words of an error code, or of what it ends with; without any, what the server said, on an English page only. */
export function sayError(code: string, detail: string, params: Readonly<Record<string, unknown>> = {}): string {
  for (const key of [`error.${code}`, `error.*/${code.slice(code.lastIndexOf("/") + 1)}`]) {
    const known = say(key, params);
    if (known !== key) return known;
  }
  return detail !== "" && document.documentElement.lang.startsWith("en") ? detail : say("error.not_possible");
}
