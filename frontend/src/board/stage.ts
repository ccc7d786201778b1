/** Controls of every stage: the slate behind the rail, full screen, the menu. */

import { find, keepInView } from "../dom";

export const typing = (event: KeyboardEvent): boolean => (event.target as HTMLElement).closest("input:not([type=checkbox]), select, textarea, dialog[open]") !== null;

function wholeScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen().catch(() => undefined);
}

export function setStage(): void {
  const panel = document.querySelector<HTMLDialogElement>("[data-slate-panel]");
  if (panel !== null) setPanel(panel);
  setWholeScreen();
}

function setPanel(panel: HTMLDialogElement): void {
  find("[data-rail]").addEventListener("click", () => {
    panel.showModal();
    panel.querySelectorAll<HTMLElement>(".commentary").forEach(keepInView);
  });
  panel.addEventListener("click", (event) => {
    // A click beside the panel has the dialog itself as its target. Links to a moment close the panel, because the
    // board shows the moment.
    if (event.target === panel || (event.target as Element).closest(".commentary button, .to-moment") !== null) panel.close();
  });
}

function setWholeScreen(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-whole-screen]")) {
    button.hidden = !document.fullscreenEnabled;
    button.addEventListener("click", wholeScreen);
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey || typing(event) || !document.fullscreenEnabled) return;
    event.preventDefault();
    wholeScreen();
  });
}
