/** On a sheet of two sides one number is enough: the other side has what is left of the deal. The cursor stands
 * in the first field: browsers leave `autofocus` alone where the address names a place on the page, and take the
 * focus away once more when they have scrolled there. */

const cursor = document.querySelector<HTMLInputElement>("#correction-form [autofocus]");

function begin(): void {
  if (document.activeElement !== document.body) return;
  cursor?.focus({ preventScroll: true });
  cursor?.select();
}

window.addEventListener("load", () => requestAnimationFrame(begin));

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
