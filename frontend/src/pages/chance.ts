/** A phone adds chance to the cards of a round: 32 bytes of its own, sent with a form. */

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
