/** Exchanges the token of a poster or slip for a session, and goes on to the table it opens. */

import { find } from "./dom";
import { say, sayError } from "./page";

interface Opened {
  game: string;
  role: string;
}

const page = JSON.parse(find("#page").textContent ?? "{}") as { csrf: string; address: string };

async function open(token: string): Promise<void> {
  const response = await fetch(page.address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": page.csrf },
    body: JSON.stringify({ token }),
  });
  const body = (await response.json()) as Opened & { code?: string; detail?: string };
  if (!response.ok) {
    tell(sayError(body.code ?? "unknown", body.detail ?? ""));
    return;
  }
  location.replace(`/g/${body.game}/${body.role === "seat" ? "play/" : "sheet/"}`);
}

function tell(text: string): void {
  const notice = find("[data-notice]");
  notice.hidden = false;
  notice.textContent = text;
}

/** A code as it is stored, however it was copied from paper: in capitals, in groups, with the break of a line. */
const asCode = (typed: string): string => typed.replace(/[\s-]/g, "").toLowerCase();

const attempt = (token: string): void => {
  open(token).catch(() => tell(say("error.unknown")));
};

find<HTMLFormElement>("[data-code-form]").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(asCode(find<HTMLInputElement>("[data-code]").value));
});
const given = location.hash.slice(1);
if (given) {
  history.replaceState(null, "", location.pathname);
  attempt(given);
}
