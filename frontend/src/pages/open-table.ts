/** Submit the code of a scanned URL's fragment. */

import { find } from "../dom";

const given = location.hash.slice(1);
if (given) {
  history.replaceState(null, "", location.pathname);
  find<HTMLInputElement>("[data-code]").value = given;
  find<HTMLFormElement>("[data-code-form]").requestSubmit();
}
