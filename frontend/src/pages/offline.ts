/** The page without a network: what this device has kept can be opened, and where a network is back it goes on. */

import { find, h } from "../dom";

/** Addresses and titles of kept pages: the worker keeps them in a cache of their own. */
async function keptPages(): Promise<{ address: string; title: string }[]> {
  const found = [];
  for (const name of (await caches.keys()).filter((one) => one.startsWith("puur-kept-"))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const text = (await (await cache.match(request, { ignoreVary: true }))?.text()) ?? "";
      const title = new DOMParser().parseFromString(text, "text/html").title.replace(/ · Puur$/, "");
      found.push({ address: request.url, title });
    }
  }
  return found;
}

window.addEventListener("online", () => window.location.reload());
void keptPages().then((pages) => {
  find("[data-kept]").hidden = pages.length === 0;
  find("[data-kept-pages]").append(...pages.map(({ address, title }) => h("li", {}, h("a", { href: address }, title))));
});
