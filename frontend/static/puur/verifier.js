import{a as b}from"./part-GELJZ2WT.js";import"./part-26MGNGCW.js";import{a}from"./part-73ZBTNEC.js";export{a as Unusable,b as verify};
