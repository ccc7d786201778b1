/** Contribute 32 random bytes of this phone to the cards of a round. */

import { hex } from "../verify/file/bytes";

const form = document.querySelector<HTMLFormElement>("[data-chance]");
const button = form?.querySelector<HTMLButtonElement>("[data-draw]");
const drawn = form?.querySelector<HTMLInputElement>("[data-drawn]");

if (form && button && drawn) {
  button.hidden = false;
  button.addEventListener("click", () => {
    drawn.value = hex(crypto.getRandomValues(new Uint8Array(32)));
    drawn.disabled = false;
    button.disabled = true;
    form.submit();
  });
}
