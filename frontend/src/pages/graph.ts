/**
 * The graph of places: a tap on a name or a line, or the keyboard on a name, highlights that line and reads its
 * places. Rows are as narrow as the drawing's, so a tap beside them selects the name below.
 */

import { find, h } from "../dom";

const root = document.querySelector<HTMLElement>("[data-graph]");
let lit = "";

function light(which: string): void {
  lit = which;
  const said = find("[data-graph-said]");
  for (const one of root?.querySelectorAll("[data-line]") ?? []) {
    const on = (one as HTMLElement | SVGElement).dataset["line"] === which;
    one.classList.toggle("lit", on);
    if (!(one instanceof HTMLButtonElement)) {
      if (on) one.parentElement?.append(one); // draw the highlighted line above the others
      continue;
    }
    one.setAttribute("aria-pressed", String(on));
    if (!on) continue;
    const { said: places, page } = one.dataset;
    const name = one.querySelector("span")?.textContent ?? "";
    said.replaceChildren(page === undefined ? h("strong", {}, name) : h("a", { href: page }, name), h("span", {}, places ?? ""));
  }
  if (which === "") said.replaceChildren();
  find<HTMLSelectElement>("[data-graph-choose]").value = which;
}

if (root !== null) {
  const lineOf = (event: Event): string => (event.target as Element).closest<HTMLElement | SVGElement>("[data-line]")?.dataset["line"] ?? "";
  let before = "";
  root.addEventListener("pointerdown", () => (before = lit));
  root.addEventListener("focusin", (event) => {
    if (lineOf(event) !== "") light(lineOf(event));
  });
  // A second tap on the line removes the highlight; so does a tap outside all lines.
  root.addEventListener("click", (event) => light(lineOf(event) === before ? "" : lineOf(event)));
  find<HTMLSelectElement>("[data-graph-choose]").addEventListener("change", (event) => light((event.target as HTMLSelectElement).value));
  document.addEventListener("keydown", (event) => event.key === "Escape" && light(""));
  // The names stand beside the last round, so scroll to it.
  const scroll = root.querySelector<HTMLElement>(".graph-scroll");
  if (scroll !== null) scroll.scrollLeft = scroll.scrollWidth;
}
