import{D as e,t as n}from"./part-2BK23QQS.js";function c(t){let o=e("[data-connection]");o.dataset.state=t,o.textContent=n(`connection.${t}`)}export{c as a};
