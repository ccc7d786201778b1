/** The share panel: the page's link, the current moment's link, and the embedding code. */

import { find } from "../dom";
import { seqOf } from "../table/moments";

const panel = find<HTMLDialogElement>("[data-share]");
const link = find<HTMLInputElement>("[data-share-link]");
const code = find<HTMLTextAreaElement>("[data-share-code]");
const here = document.querySelector<HTMLInputElement>("[data-share-here]");
const whole = { link: new URL(panel.dataset["link"] ?? "", location.href).href, code: code.value };

/** The shown moment; null without one. */
function moment(): number | null {
  const shown = Number(document.querySelector<HTMLElement>("[data-cloth]")?.dataset["seq"] ?? "-1");
  return seqOf(location.hash) ?? (shown >= 0 ? shown : null);
}

function show(): void {
  const seq = here?.checked ? moment() : null;
  link.value = seq === null ? whole.link : `${new URL(panel.dataset["moment"] ?? "", location.href).href}?at=${seq}`;
  code.value = seq === null ? whole.code : whole.code.replace(/(src="[^"?]+)"/, `$1?at=${seq}"`);
}

find("[data-share-open]").addEventListener("click", () => {
  show();
  panel.showModal();
});
here?.addEventListener("change", show);
for (const button of panel.querySelectorAll<HTMLButtonElement>("[data-copies]")) {
  button.addEventListener("click", () => {
    const from = button.dataset["copies"] === "link" ? link : code;
    from.select();
    void navigator.clipboard?.writeText(from.value).then(() => (find("[data-share-copied]").textContent = panel.dataset["copied"] ?? ""));
  });
}
