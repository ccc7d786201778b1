import{H as e}from"./part-55J3RQMI.js";var t=location.hash.slice(1);t&&(history.replaceState(null,"",location.pathname),e("[data-code]").value=t,e("[data-code-form]").requestSubmit());
