/** Texts of refusals. Read-only pages do not load this module and its sentences. */

import { say } from "../page";

/** The sentence of an error code or of its suffix; without one the server's detail, on English pages only. */
export function sayError(code: string, detail: string, params: Readonly<Record<string, unknown>> = {}): string {
  for (const key of [`error.${code}`, `error.*/${code.slice(code.lastIndexOf("/") + 1)}`]) {
    const known = say(key, params);
    if (known !== key) return known;
  }
  return detail !== "" && document.documentElement.lang.startsWith("en") ? detail : say("error.not_possible");
}
