/** The page /verify/: a file, twelve words, and the differences. Nothing leaves the device. */

import { find, h } from "../dom";
import { say } from "../page";
import { Unusable, verify, type Report } from "../verify/verifier";
import type { Finding } from "../verify/report";

const form = find<HTMLFormElement>("[data-verify]");
const file = find<HTMLInputElement>("#file");
const words = find<HTMLTextAreaElement>("#words-typed");
const key = find<HTMLInputElement>("#key");
const verdict = find("[data-verdict]");
const drop = find("[data-drop]");

function line(finding: Finding): HTMLLIElement {
  const told = say(finding.what, finding.params);
  return h("li", {}, finding.where ? `${finding.where}: ${told}` : told);
}

function show(kind: "success" | "error", title: string, ...more: (HTMLElement | null)[]): void {
  verdict.replaceChildren(h("div", { class: `message ${kind}` }, h("h2", {}, title), ...more));
  verdict.focus();
}

/** The command line of the full verifier, with the given file and words. */
function command(): string {
  const name = file.files?.[0]?.name ?? "";
  const typed = words.value.replaceAll(/[^a-zA-Z:/?#=. -]/g, " ").trim();
  return `python3 puur_verify.py "${name.replaceAll(/["\\$`]/g, "")}"${typed ? ` --checkpoint "${typed}"` : ""}`;
}

function tell(report: Report, withWords: boolean): void {
  const list = (findings: Finding[], heading: string): HTMLElement | null =>
    findings.length ? h("div", {}, h("h3", {}, say(heading)), h("ul", {}, ...findings.map(line))) : null;
  const program = h("div", {}, h("h3", {}, say("verify.left")), h("p", {}, say("verify.left_why")), h("p", {}, h("code", {}, command())));
  const more = [list(report.differences, "verify.differences"), list(report.notes, "verify.notes"), list(report.checked, "verify.checked"), program];
  if (report.differences.length) show("error", say("verify.bad", { n: report.differences.length }), ...more);
  else show("success", say(withWords ? "verify.good_sheet" : "verify.good"), ...more);
}

async function run(): Promise<void> {
  const [chosen] = file.files ?? [];
  if (chosen === undefined) return;
  verdict.replaceChildren(h("p", { class: "message" }, say("verify.working")));
  try {
    const data = new Uint8Array(await chosen.arrayBuffer());
    const keys = key.value.trim() ? [key.value.trim().toLowerCase()] : [];
    tell(await verify(data, words.value, keys), words.value.trim() !== "");
  } catch (error) {
    const why = error instanceof Unusable ? say(error.what, error.params) : String(error);
    show("error", say("verify.unusable"), h("p", {}, why));
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run();
});
for (const kind of ["dragover", "dragleave", "drop"] as const) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    const dropped = kind === "drop" ? event.dataTransfer?.files : undefined;
    if (dropped?.length) file.files = dropped;
  });
}
if (location.hash.length > 1) words.value = location.hash.slice(1).replaceAll("-", " ");
