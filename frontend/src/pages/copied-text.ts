/** A button that copies the text of a field. Pages without TLS have no clipboard: there the older command copies, else the text is selected. */

import { find } from "../dom";

const button = find<HTMLButtonElement>("[data-copies-text]");
const said = find("[data-copied-text]");

function tell(copied: boolean): void {
  said.textContent = said.dataset[copied ? "copied" : "selected"] ?? "";
  said.hidden = false;
}

function select(field: HTMLTextAreaElement): boolean {
  const around = field.closest("details");
  if (around) around.open = true;
  field.select();
  return document.execCommand("copy");
}

button.addEventListener("click", () => {
  const field = find<HTMLTextAreaElement>(`#${button.dataset["copiesText"] ?? ""}`);
  if (!navigator.clipboard) return tell(select(field));
  navigator.clipboard.writeText(field.value).then(
    () => tell(true),
    () => tell(select(field)),
  );
});
