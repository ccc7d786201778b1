import{P as e}from"./part-MX3JEPID.js";var t=location.hash.slice(1);t&&(history.replaceState(null,"",location.pathname),e("[data-code]").value=t,e("[data-code-form]").requestSubmit());
