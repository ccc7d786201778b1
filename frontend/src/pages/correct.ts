/** On a sheet of two sides one number is enough: the other side has what is left of the deal. The cursor stands
 * in the first field, and nothing is sent before what it would come to stands there: browsers leave `autofocus` alone where the address names a place on the page, and take the
 * focus away once more when they have scrolled there. */

const cursor = document.querySelector<HTMLInputElement>("#correction-form [autofocus]");

function begin(): void {
  if (document.activeElement !== document.body) return;
  cursor?.focus({ preventScroll: true });
  cursor?.select();
}

window.addEventListener("load", () => requestAnimationFrame(begin));

/** What is typed can be sent once the places before and after are shown, or cannot be asked for. */
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
