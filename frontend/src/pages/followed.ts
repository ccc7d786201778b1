/** Following a person: their page starts it; the home page shows where all followed people are. */

import { h } from "../dom";
import { addressOf, follow, followed, watchParts } from "../watching/following";

const list = document.querySelector<HTMLElement>("[data-followed]");
const here = document.querySelector<HTMLElement>("[data-follows]");

if (list !== null) {
  // htmx loads after this script, and processes these elements then.
  const rows = followed().reverse().map((who) => h("li", { "hx-get": addressOf(who), "hx-trigger": "load, every 12s", "data-follows": who }));
  list.querySelector("ul")?.replaceChildren(...rows);
  list.hidden = rows.length === 0;
  // The championship was deleted or is private now: the person is no longer found there.
  list.addEventListener("htmx:responseError", (event) => ((event as CustomEvent<{ xhr: XMLHttpRequest }>).detail.xhr.status === 404 ? (event.target as HTMLElement).remove() : undefined));
  watchParts((_, button) => {
    button.closest("li")?.remove();
    list.hidden = list.querySelector("li") === null;
  });
} else if (here !== null) {
  follow(here.dataset["follows"] ?? "");
  watchParts(() => {
    const page = document.querySelector<HTMLAnchorElement>("[data-follows] a");
    if (page !== null) location.replace(page.href);
  });
}
