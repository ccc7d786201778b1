import{F as e,v as n}from"./part-CQYDS3FR.js";function c(t){let o=e("[data-connection]");o.dataset.state=t,o.textContent=n(`connection.${t}`)}export{c as a};
