/** On a sheet of two sides one number is enough: the other side has what is left of the deal. */

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
