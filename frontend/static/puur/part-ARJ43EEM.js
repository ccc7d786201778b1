import{F as e,v as n}from"./part-QEX7KD7X.js";function c(t){let o=e("[data-connection]");o.dataset.state=t,o.textContent=n(`connection.${t}`)}export{c as a};
