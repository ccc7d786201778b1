/**
 * The correction of a sheet. With two sides the second number is computed. The cursor starts in the first field, and
 * the form is enabled after the preview. Browsers ignore `autofocus` for URLs with a fragment, and move the focus
 * again after scrolling.
 */

const cursor = document.querySelector<HTMLInputElement>("#correction-form [autofocus]");

function begin(): void {
  if (document.activeElement !== document.body) return;
  cursor?.focus({ preventScroll: true });
  cursor?.select();
}

window.addEventListener("load", () => requestAnimationFrame(begin));

/** The form can be sent once the preview is shown, or is unavailable. */
const form = document.querySelector<HTMLFormElement>("#correction-form");
const send = form?.querySelector<HTMLButtonElement>(".form-actions .primary");
const wait = (waits: boolean): void => {
  if (send) send.disabled = waits;
};
form?.querySelector("fieldset")?.addEventListener("input", () => wait(true));
document.addEventListener("htmx:afterSwap", () => wait(document.querySelector("#outlook .danger") !== null));
for (const failed of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) document.addEventListener(failed, () => wait(false));

const inputs = [...document.querySelectorAll<HTMLInputElement>("input[data-together]")];

for (const input of inputs) {
  input.addEventListener("input", () => {
    const together = Number(input.dataset["together"]);
    const points = Number(input.value);
    const other = inputs.find((one) => one !== input);
    if (other === undefined || input.value.trim() === "" || !Number.isInteger(points) || points < 0 || points > together) return;
    other.value = String(together - points);
  });
}
