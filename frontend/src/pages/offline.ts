/** The offline page: links to the pages kept on this device, and a retry when the network is back. */

import { find, h } from "../dom";

/** URLs and titles of kept pages, from the worker's cache. */
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
