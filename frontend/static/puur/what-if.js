import{a as t}from"./part-42Q4LNS4.js";import"./part-TSHDOA4W.js";t();
